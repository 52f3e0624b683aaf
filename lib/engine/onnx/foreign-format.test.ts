import { expect, test } from "vitest";
import { identityModel } from "#testing/onnx-models";
import { foreignFormat } from "./foreign-format.ts";
import { linearToOnnx } from "./write-model.ts";
import { readXgboostJson } from "./xgboost-json.ts";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

test.each([
  [
    "a pickle of protocol 0",
    "ccopy_reg\n_reconstructor\np0\n(csklearn.linear_model._ridge\nRidge\n.",
    /pickle/,
  ],
  ["a dictionary in protocol 0", "(dp0\nVa\np1\ns.", /pickle/],
  ["a dictionary in protocol 1", "}q\0X\x01\0\0\0aq\x01s.", /pickle/],
  ["a pickle of protocol 2", "\x80\x02csklearn", /pickle.*skl2onnx\.to_onnx\(joblib\.load/],
  ["a pickle of protocol 5", "\x80\x05\x95\xa8\x01", /pickle/],
  ["joblib, compressed", "x\x5e=Q\xb1n", /zlib.*joblib\.load/],
  ["joblib in xz", "\xfd7zXZ\0", /xz.*joblib/],
  ["joblib in bzip2", "BZh91AY&SY", /bzip2.*joblib/],
  ["joblib in gzip", "\x1f\x8b\x08", /gzip.*joblib/],
  ["a ZIP archive", "PK\x03\x04\0\0", /ZIP.*pickle/],
  ["TorchScript", "PK\x03\x04m/data.pkl m/constants.pkl", /TorchScript.*torch\.jit\.load\("model\.pt"\)/],
  ["an archive of torch.save", "PK\x03\x04m/data.pkl", /torch\.save.*torch\.onnx\.export\(model/],
  ["Keras's archive", "PK\x03\x04model.weights.h5", /Keras.*load_model\("model\.keras"\)/],
  ["Keras in HDF5", "\x89HDF\r\n\x1a\n", /HDF5.*load_model\("model\.h5"\)/],
  ["CatBoost", "CBM1\0\0", /CatBoost.*save_model\("model\.onnx", format="onnx"\)/],
  ["TensorFlow Lite", "\x1c\0\0\0TFL3", /TensorFlow Lite.*--tflite/],
  ["safetensors", '\x48\x01\0\0\0\0\0\0{"__metadata__":', /safetensors/],
  ["LightGBM's text", "tree\nversion=v4\n", /LightGBM.*convert_lightgbm.*zipmap=False/],
  ["XGBoost in UBJSON", "{L\0\0\0\0\0\0\0\x02", /UBJSON.*Booster\(model_file="model\.ubj"\)\.save_model/],
  ["XGBoost's old binary", "binf\0\0\0?", /old binary.*before 3\.1.*Booster\(model_file="model\.bin"\)/],
  ["a text dump of XGBoost", "booster[0]:\n0:[f1<1.3]", /dump.*model.json/],
  ["a pointer of Git LFS", "version https://git-lfs.github.com/spec/v1\n", /git lfs pull/],
  ["a NumPy array", "\x93NUMPY\x01\0", /NumPy/],
  ["nothing", "", /empty/],
])("recognizes %s by its first bytes, for both declared formats", (_, content, reason) => {
  expect(foreignFormat(bytes(content))).toMatch(reason);
  expect(() => readXgboostJson(bytes(content))).toThrow(reason);
});

test("accepts ONNX files", () => {
  const linear = { kind: "linear", coefficients: Float64Array.of(1), intercept: 0 } as const;
  expect(foreignFormat(identityModel())).toBeNull();
  expect(foreignFormat(linearToOnnx({ ...linear, means: Float64Array.of(0) }, {}))).toBeNull();
});
