/** Model files that are often taken for ONNX, by their first bytes, and what to do with each. */
const SIGNATURES: { bytes: number[]; at?: number; reason: string }[] = [
  {
    // The PROTO opcode of pickle protocols 2 to 5, written by pickle, joblib and older PyTorch.
    bytes: [0x80],
    reason:
      "The file is a Python pickle. Pickles are refused: loading one runs whatever code is in it. Export the model to ONNX (skl2onnx, onnxmltools, torch.onnx).",
  },
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    reason:
      "The file is a ZIP archive, as PyTorch, Keras and NumPy write them; PyTorch's contain a Python pickle, which is refused. Export the model to ONNX.",
  },
  { bytes: [0x1f, 0x8b], reason: "The file is compressed with gzip. Send the ONNX file itself." },
  {
    bytes: [0x89, 0x48, 0x44, 0x46],
    reason: "The file is HDF5, as Keras writes it. Export the model to ONNX.",
  },
  {
    bytes: [0x54, 0x46, 0x4c, 0x33],
    at: 4,
    reason: "The file is TensorFlow Lite. Export the model to ONNX.",
  },
  {
    bytes: [0x4f, 0x52, 0x54, 0x4d],
    at: 4,
    reason: "The file is in ONNX Runtime's own ORT format. Send the ONNX file that it was made from.",
  },
  {
    bytes: [0x7b],
    reason: 'The file is JSON. An XGBoost model in JSON is imported with the format "xgboost-json".',
  },
  {
    bytes: [0x74, 0x72, 0x65, 0x65, 0x0a],
    reason: "The file is LightGBM's text format. Export the model to ONNX.",
  },
];

/** Why the file cannot be ONNX, or null where nothing tells. No ONNX file starts with any of these bytes. */
export function foreignFormat(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return "The file is empty.";
  const match = SIGNATURES.find(({ bytes: signature, at = 0 }) =>
    signature.every((byte, offset) => bytes[at + offset] === byte),
  );
  return match?.reason ?? null;
}
