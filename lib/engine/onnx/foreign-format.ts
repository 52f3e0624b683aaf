const PICKLE =
  "The file is a Python pickle. Pickles are rejected because loading one can run arbitrary code. Export the model to ONNX (skl2onnx, onnxmltools, torch.onnx).";
const COMPRESSED = (program: string) =>
  `The file is compressed with ${program}, like joblib's pickles. Send the uncompressed ONNX file.`;

/** Model files often mistaken for ONNX: their first bytes, and the advice for each. */
const SIGNATURES: { bytes: number[]; at?: number; reason: string; isJson?: true }[] = [
  // PROTO opcode of pickle protocols 2 to 5, written by pickle, joblib and older PyTorch.
  { bytes: [0x80], reason: PICKLE },
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    reason:
      "The file is a ZIP archive, as written by PyTorch, Keras and NumPy. PyTorch archives contain a Python pickle, which is rejected. Export the model to ONNX.",
  },
  { bytes: [0x1f, 0x8b], reason: COMPRESSED("gzip") },
  { bytes: [...ascii("BZh")], reason: COMPRESSED("bzip2") },
  { bytes: [0xfd, ...ascii("7zXZ")], reason: COMPRESSED("xz") },
  ...[0x01, 0x5e, 0x9c, 0xda].map((level) => ({ bytes: [0x78, level], reason: COMPRESSED("zlib") })),
  {
    bytes: [0x89, 0x48, 0x44, 0x46],
    reason: "The file is HDF5, as written by Keras. Export the model to ONNX.",
  },
  {
    bytes: [0x54, 0x46, 0x4c, 0x33],
    at: 4,
    reason: "The file is TensorFlow Lite. Export the model to ONNX.",
  },
  {
    bytes: [0x4f, 0x52, 0x54, 0x4d],
    at: 4,
    reason: "The file is in ONNX Runtime's ORT format. Send the original ONNX file.",
  },
  {
    bytes: [...ascii("{L\0")],
    reason:
      'The file is an XGBoost model in UBJSON. Save it with save_model("model.json") and import it with the format "xgboost-json".',
  },
  {
    bytes: [...ascii("binf")],
    reason:
      'The file is an XGBoost model in the old binary format. Save it with save_model("model.json") and import it with the format "xgboost-json".',
  },
  {
    bytes: [...ascii("booster[")],
    reason:
      'The file is an XGBoost text dump, which does not contain the complete model. Save it with save_model("model.json") and import it with the format "xgboost-json".',
  },
  {
    // The header's length, little-endian and below 64 KB or 16 MB, followed by the header in JSON.
    bytes: [0, 0, 0, 0, 0, ...ascii('{"')],
    at: 3,
    reason:
      "The file is in the safetensors format, which contains weights but no model. Export the model to ONNX (torch.onnx).",
  },
  { bytes: [...ascii("CBM1")], reason: "The file is in CatBoost's native format. Save it as ONNX." },
  { bytes: [0x93, ...ascii("NUMPY")], reason: "The file is a NumPy array, not a model." },
  { bytes: [...ascii("<")], reason: "The file is XML or HTML. Export the model to ONNX." },
  {
    bytes: [...ascii("version https://git-lfs")],
    reason: "The file is a Git LFS pointer, not the model. Fetch the model with `git lfs pull`.",
  },
  {
    bytes: [...ascii("{")],
    isJson: true,
    reason: 'The file is JSON. Import an XGBoost model in JSON with the format "xgboost-json".',
  },
  {
    bytes: [...ascii("tree\n")],
    reason: "The file is LightGBM's text format. Export the model to ONNX.",
  },
];

/**
 * Matches pickle protocols 0 and 1. They have no mark at the start: they begin with an opcode (class, tuple, list,
 * dictionary) and end with STOP, a full stop.
 */
const OLD_PICKLE = /^(?:c[\w.]+\r?\n|\((?:[ldit]|c[\w.]+\r?\n)|[\]}](?:q|[.(]))/;

/**
 * Returns why the file cannot be ONNX (or JSON, if `wanted`), or null if unknown. No ONNX file starts with any of
 * these bytes.
 */
export function foreignFormat(bytes: Uint8Array, wanted: "onnx" | "json" = "onnx"): string | null {
  if (bytes.length === 0) return "The file is empty.";
  const match = SIGNATURES.find(({ bytes: signature, at = 0 }) =>
    signature.every((byte, offset) => bytes[at + offset] === byte),
  );
  if (match) return match.isJson && wanted === "json" ? null : match.reason;
  const start = String.fromCharCode(...bytes.subarray(0, 200));
  return OLD_PICKLE.test(start) && bytes.at(-1) === ascii(".")[0] ? PICKLE : null;
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
