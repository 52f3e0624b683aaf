import { fileURLToPath } from "node:url";
import { type ChildLimits, childLimits, runInChild } from "./child-run.ts";
import type { TensorInfo } from "./tensor-info.ts";

export type SmokeOutput = {
  name: string;
  elementType: string;
  /** As they came back for the sample's rows; what the model declares may be wrong. */
  dims: number[];
  /** The first few. */
  values: (number | string)[];
};

export type SmokeResult =
  | { ok: true; inputs: TensorInfo[]; outputs: TensorInfo[]; sample: SmokeOutput[] }
  | { ok: false; reason: string };

const CHILD = fileURLToPath(new URL("./smoke-child.ts", import.meta.url));

/**
 * Loads a model from outside and runs it on zeros, in a process of its own: one that loops, fills the memory or crashes
 * the runtime ends that process and nothing else. The file must have passed `inspectOnnx` before: the process is no
 * sandbox for the file system. Never rejects for what the model does.
 */
export async function smokeRun(bytes: Uint8Array, limits: Partial<ChildLimits> = {}): Promise<SmokeResult> {
  return runInChild<SmokeResult>(CHILD, bytes, { ...childLimits, ...limits });
}
