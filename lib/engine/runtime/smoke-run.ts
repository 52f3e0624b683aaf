import type { ZipMap } from "#lib/engine/onnx/open-zip-map";
import { type ChildLimits, childLimits, runInChild, sourceFile } from "./child-run.ts";
import { type CostLimits, costLimits } from "./cost-limits.ts";
import type { InputMapping } from "./input-bindings.ts";
import type { Rejection } from "./runtime-reason.ts";
import type { TensorInfo } from "./tensor-info.ts";

export type SmokeOutput = {
  name: string;
  elementType: string;
  /** Returned dimensions for the sample's rows. The model's declaration may be wrong. */
  dims: number[];
  /** The first few values. */
  values: (number | string)[];
};

/** Format of a model file. Other formats are converted to ONNX. */
type ModelFormat = "onnx" | "xgboost-json";

export type SmokeRequest = {
  format: ModelFormat;
  /** The output to use as prediction. A ZipMap output is opened. */
  output: string | null;
  /** Determine the widths that the model leaves open. */
  inputs: readonly InputMapping[];
  cost: CostLimits;
  /** Rounds of an XGBoost model that was trained with early stopping. */
  rounds: "best" | "all";
};

type SmokeOptions = Partial<ChildLimits> &
  Partial<SmokeRequest> & {
    signal?: AbortSignal | undefined;
  };

export type Tried = { inputs: TensorInfo[]; outputs: TensorInfo[]; sample: SmokeOutput[] };

export type SmokeResult =
  /**
   * `onnx`: the converted model, or null if the file can stay unchanged. `featureNames`: column names, if a format other
   * than ONNX has them. `zipMaps`: outputs that are maps from class to probability.
   */
  | (Tried & {
      ok: true;
      onnx: Uint8Array | null;
      featureNames: string[];
      zipMaps: ZipMap[];
      /** Rounds in use and in the file, after early stopping. */
      rounds: { used: number; total: number } | null;
    })
  | ({ ok: false } & Rejection);

/**
 * Inspects an imported model file, converts it to ONNX if necessary, and runs it on zeros, all in a separate process.
 * A model that loops, fills the memory or crashes the runtime, or a file that attacks the parser, ends only that
 * process. Never rejects for the behaviour of the model.
 */
export async function smokeRun(
  bytes: Uint8Array,
  {
    format = "onnx",
    output = null,
    inputs = [],
    cost = costLimits,
    rounds = "best",
    signal,
    ...limits
  }: SmokeOptions = {},
): Promise<SmokeResult> {
  const entry = sourceFile(`./smoke-child.ts`, import.meta.url);
  return runInChild<SmokeResult>(
    entry,
    bytes,
    { ...childLimits, ...limits },
    {
      request: { format, output, inputs, cost, rounds } satisfies SmokeRequest,
      signal,
    },
  );
}
