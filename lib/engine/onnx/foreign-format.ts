/** Lines of Python that convert a model. `n` is its number of features, `X` some of its rows. */
export const CONVERSIONS = {
  sklearn: 'onnx.save(skl2onnx.to_onnx(joblib.load("model.pkl"), X[:1].astype("float32")), "model.onnx")',
  lightgbm:
    'onnx.save(onnxmltools.convert_lightgbm(lightgbm.Booster(model_file="model.txt"), initial_types=[("X", onnxmltools.convert.common.data_types.FloatTensorType([None, n]))], zipmap=False), "model.onnx")',
  xgboost: (file: string) => `xgboost.Booster(model_file="${file}").save_model("model.json")`,
  gblinear:
    'onnx.save(skl2onnx.to_onnx(sklearn.linear_model.LinearRegression().fit(X, model.predict(X)), X[:1].astype("float32")), "model.onnx")',
  xgboostClasses:
    'onnx.save(onnxmltools.convert_xgboost(model, initial_types=[("X", onnxmltools.convert.common.data_types.FloatTensorType([None, n]))]), "model.onnx")',
  catboost:
    'model = catboost.CatBoost(); model.load_model("model.cbm"); model.save_model("model.onnx", format="onnx")',
  keras: (file: string) =>
    `tf2onnx.convert.from_keras(tensorflow.keras.models.load_model("${file}"), output_path="model.onnx")`,
  torch:
    'torch.onnx.export(torch.jit.load("model.pt").eval(), (torch.zeros(1, n),), "model.onnx", input_names=["X"], dynamic_axes={"X": {0: "N"}}, dynamo=False)',
  torchState:
    'torch.onnx.export(model.eval(), (torch.zeros(1, n),), "model.onnx", input_names=["X"], dynamic_axes={"X": {0: "N"}}, dynamo=False)',
  tflite: "python -m tf2onnx.convert --tflite model.tflite --output model.onnx",
};

const convert = (line: string) => `Convert it with: ${line}`;
const asJson = (file: string) =>
  `${convert(CONVERSIONS.xgboost(file))} and import model.json with the format "xgboost-json".`;

const PICKLE = `The file is a Python pickle. Pickles are rejected because loading one can run arbitrary code. ${convert(CONVERSIONS.sklearn)}`;
const COMPRESSED = (program: string) =>
  `The file is compressed with ${program}, like joblib's pickles. Send an uncompressed ONNX file. ${convert(CONVERSIONS.sklearn)}`;

/** Model files often mistaken for ONNX: their first bytes, and the advice for each. */
const SIGNATURES: { bytes: number[]; at?: number; reason: string; isJson?: true }[] = [
  // PROTO opcode of pickle protocols 2 to 5, written by pickle, joblib and older PyTorch.
  { bytes: [0x80], reason: PICKLE },
  { bytes: [0x1f, 0x8b], reason: COMPRESSED("gzip") },
  { bytes: [...ascii("BZh")], reason: COMPRESSED("bzip2") },
  { bytes: [0xfd, ...ascii("7zXZ")], reason: COMPRESSED("xz") },
  ...[0x01, 0x5e, 0x9c, 0xda].map((level) => ({ bytes: [0x78, level], reason: COMPRESSED("zlib") })),
  {
    bytes: [0x89, 0x48, 0x44, 0x46],
    reason: `The file is HDF5, as written by Keras. ${convert(CONVERSIONS.keras("model.h5"))}`,
  },
  {
    bytes: [0x54, 0x46, 0x4c, 0x33],
    at: 4,
    reason: `The file is TensorFlow Lite. ${convert(CONVERSIONS.tflite)}`,
  },
  {
    bytes: [0x4f, 0x52, 0x54, 0x4d],
    at: 4,
    reason: "The file is in ONNX Runtime's ORT format. Send the original ONNX file.",
  },
  { bytes: [...ascii("{L\0")], reason: `The file is an XGBoost model in UBJSON. ${asJson("model.ubj")}` },
  {
    bytes: [...ascii("binf")],
    reason: `The file is an XGBoost model in the old binary format, which XGBoost before 3.1 reads. ${asJson("model.bin")}`,
  },
  {
    bytes: [...ascii("booster[")],
    reason:
      'The file is an XGBoost text dump, which does not contain the complete model. Save the model itself with save_model("model.json") and import it with the format "xgboost-json".',
  },
  {
    // The header's length, little-endian and below 64 KB or 16 MB, followed by the header in JSON.
    bytes: [0, 0, 0, 0, 0, ...ascii('{"')],
    at: 3,
    reason: `The file is in the safetensors format, which contains weights but no model. Load them into the model. ${convert(CONVERSIONS.torchState)}`,
  },
  {
    bytes: [...ascii("CBM1")],
    reason: `The file is in CatBoost's native format. ${convert(CONVERSIONS.catboost)}`,
  },
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
    reason: `The file is LightGBM's text format. ${convert(CONVERSIONS.lightgbm)}`,
  },
];

/** Kinds of ZIP archives by a name in their directory, the most specific first. */
const ARCHIVES: { name: string; reason: string }[] = [
  {
    name: "constants.pkl",
    reason: `The file is TorchScript, a ZIP archive that contains Python pickles. ${convert(CONVERSIONS.torch)}`,
  },
  {
    name: "data.pkl",
    reason: `The file is a ZIP archive of torch.save. It contains a Python pickle, which is rejected. Load the model in Python. ${convert(CONVERSIONS.torchState)}`,
  },
  {
    name: ".weights.h5",
    reason: `The file is a Keras model, a ZIP archive. ${convert(CONVERSIONS.keras("model.keras"))}`,
  },
];
const OTHER_ARCHIVE =
  "The file is a ZIP archive, as written by PyTorch, Keras and NumPy. Archives can contain Python pickles, which are rejected. Export the model to ONNX.";
/** The directory is at the end. */
const ARCHIVE_TAIL_BYTES = 1 << 16;

function archiveReason(bytes: Uint8Array): string {
  const tail = Buffer.from(bytes.subarray(-ARCHIVE_TAIL_BYTES));
  return ARCHIVES.find(({ name }) => tail.includes(name))?.reason ?? OTHER_ARCHIVE;
}

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
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return archiveReason(bytes);
  const match = SIGNATURES.find(({ bytes: signature, at }) => startsWith(bytes, signature, at));
  if (match) return match.isJson && wanted === "json" ? null : match.reason;
  const start = String.fromCharCode(...bytes.subarray(0, 200));
  return OLD_PICKLE.test(start) && bytes.at(-1) === ascii(".")[0] ? PICKLE : null;
}

function startsWith(bytes: Uint8Array, signature: number[], at = 0): boolean {
  return signature.every((byte, offset) => bytes[at + offset] === byte);
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
