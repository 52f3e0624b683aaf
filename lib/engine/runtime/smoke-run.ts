import { type ChildLimits, childLimits, runInChild, sourceFile } from "./child-run.ts";
import type { TensorInfo } from "./tensor-info.ts";

export type SmokeOutput = {
  name: string;
  elementType: string;
  /** As they came back for the sample's rows; what the model declares may be wrong. */
  dims: number[];
  /** The first few. */
  values: (number | string)[];
};

/** How a model's file is written; what is not ONNX is converted. */
export type ModelFormat = "onnx" | "xgboost-json";

export type SmokeOptions = Partial<ChildLimits> & {
  format?: ModelFormat;
  /** The output that is to be the prediction: one that a ZipMap gives is opened. */
  output?: string | null;
  signal?: AbortSignal | undefined;
};

export type Tried = { inputs: TensorInfo[]; outputs: TensorInfo[]; sample: SmokeOutput[] };

export type SmokeResult =
  /**
   * `onnx`: what it was converted to, null where it may stay as it came. `isGuarded`: it must always run behind a guard.
   * `featureNames`: of its columns, where a format other than ONNX names them.
   */
  | (Tried & { ok: true; onnx: Uint8Array | null; isGuarded: boolean; featureNames: string[] })
  | { ok: false; reason: string };

/**
 * Inspects a model's file from outside, converts it where it is no ONNX, and runs it on zeros, all in a process of its
 * own: one that loops, fills the memory or crashes the runtime, or a file that is made so that reading it does, ends that
 * process and nothing else. Never rejects for what the model does.
 */
export async function smokeRun(
  bytes: Uint8Array,
  { format = "onnx", output = null, signal, ...limits }: SmokeOptions = {},
): Promise<SmokeResult> {
  const entry = sourceFile(`./smoke-child.ts`, import.meta.url);
  return runInChild<SmokeResult>(
    entry,
    bytes,
    { ...childLimits, ...limits },
    {
      args: [format, ...(output === null ? [] : [output])],
      signal,
    },
  );
}
