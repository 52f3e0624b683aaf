import { InferenceSession, Tensor } from "onnxruntime-node";
import { counted } from "#lib/contract/counted";
import type { Table } from "#lib/contract/table";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { readTrees } from "#lib/engine/onnx/read-trees";
import {
  type EnsembleEvaluator,
  type EnsembleProgram,
  evaluatorOf,
} from "#lib/engine/trees/evaluate-ensemble";
import { bindInputs, float32Values, type InputBinding, namedFeeds } from "./feeds.ts";
import { chooseOutput, type OutputChoice, valuesOf } from "./outputs.ts";
import { runtimeReason } from "./runtime-reason.ts";
import { describe, rowWidth, type TensorInfo } from "./tensor-info.ts";

export type { InputBinding } from "./feeds.ts";
export type { OutputChoice } from "./outputs.ts";
export type { TensorInfo } from "./tensor-info.ts";

export type ModelSession = {
  inputs: TensorInfo[];
  outputs: TensorInfo[];
  /**
   * For a model with one numeric matrix [N, columns] and one output: the output for each row. Rows go to the
   * runtime in batches; results do not depend on where a batch ends.
   */
  predict(columns: Float32Array[], rowCount: number): Promise<Float64Array>;
  /**
   * For any model: the table's columns are put where the bindings say, as the types that the inputs want.
   *
   * @throws ModelInvalid where inputs stay unbound, a column is missing or has the wrong type, or the chosen output
   *   does not give one number a row.
   */
  predictNamed(table: Table, bindings: InputBinding[], choice?: OutputChoice): Promise<Float64Array>;
  /** What evaluates the model elsewhere without the runtime, with the same results; null for most from outside. */
  trees(): EnsembleProgram | null;
  /** Frees the runtime's memory. The session cannot be used after it. */
  release(): Promise<void>;
};

/** Enough rows to hide the cost of a call, few enough that the matrix stays in the processor's cache. */
export const BATCH_ROWS = 8192;

/**
 * Loads an ONNX model.
 *
 * @param options.threads threads that one call may use; 1 by default, since callers run side by side, and since with
 *   more the runtime adds up a single row's trees in another order than those of many rows: other last bits.
 * @param options.runtimeOnly also trees as `treesToOnnx` writes them are evaluated by the runtime, which is the reference
 *   for our own evaluator.
 * @throws ModelInvalid where the runtime refuses it. A file from outside must have passed `inspectOnnx` and
 *   `smokeRun` first: loading it here is in this process.
 */
export async function openSession(
  bytes: Uint8Array,
  options: { threads?: number; runtimeOnly?: boolean } = {},
): Promise<ModelSession> {
  const session = await createSession(bytes, options.threads ?? 1);
  const inputs = session.inputMetadata.map(describe);
  const outputs = session.outputMetadata.map(describe);
  let trees: EnsembleEvaluator | null = null;
  let unread: Uint8Array | null = options.runtimeOnly ? null : bytes;
  const model: Model = {
    session,
    inputs,
    outputs,
    // When first needed: many models are opened to be looked at.
    trees: () => {
      if (unread) trees = evaluatorOfFile(unread);
      unread = null;
      return trees;
    },
  };
  return {
    inputs,
    outputs,
    predict: (columns, rowCount) => predictMatrix(model, columns, rowCount),
    predictNamed: (table, bindings, choice = {}) => predictTable(model, table, bindings, choice),
    trees: () => model.trees()?.program() ?? null,
    release: () => session.release(),
  };
}

type Model = {
  session: InferenceSession;
  inputs: TensorInfo[];
  outputs: TensorInfo[];
  /** What evaluates the model in the runtime's place, with the same results to the bit; null for most from outside. */
  trees(): EnsembleEvaluator | null;
};

function evaluatorOfFile(bytes: Uint8Array): EnsembleEvaluator | null {
  const trees = readTrees(bytes);
  return trees && evaluatorOf(trees);
}

/** The runtime's own session. @throws ModelInvalid where it refuses the model. */
export async function createSession(bytes: Uint8Array, threads: number): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(bytes, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: "sequential",
      logSeverityLevel: 4,
    });
  } catch (cause) {
    throw new ModelInvalid(`The model cannot be loaded: ${runtimeReason(cause)}`, { cause });
  }
}

async function predictMatrix(
  { session, inputs, outputs, trees }: Model,
  columns: Float32Array[],
  rowCount: number,
): Promise<Float64Array> {
  const input = inputs[0];
  if (inputs.length !== 1 || input?.elementType !== "float32") {
    throw new ModelInvalid("The model does not take one float matrix: name its inputs.");
  }
  if (columns.some((column) => column.length < rowCount)) {
    throw new RangeError(`Every column must have ${counted(rowCount, "value")}.`);
  }
  if (columns.length === rowWidth(input)) {
    const own = trees();
    if (own) return own.predict(columns, rowCount);
  }
  const { name: output } = chooseOutput(outputs, {});
  const predictions = new Float64Array(rowCount);
  const batch = input.batch ?? BATCH_ROWS;
  const width = columns.length;
  for (let start = 0; start < rowCount; start += batch) {
    const filled = Math.min(batch, rowCount - start);
    // Never one row alone: for it the runtime's matrix product adds in another order, and gives other last bits.
    const rows = input.batch ?? Math.max(2, filled);
    // Where more rows are run than are left, the rest of the matrix stays 0 and its results are dropped.
    const matrix = new Float32Array(rows * width);
    for (let feature = 0; feature < width; feature++) {
      const column = columns[feature]!;
      for (let row = 0, at = feature; row < filled; row++, at += width) matrix[at] = column[start + row]!;
    }
    const feeds = { [input.name]: new Tensor("float32", matrix, [rows, width]) };
    const results = await run(session, feeds, output);
    predictions.set(valuesOf(results, rows, {}).subarray(0, filled), start);
  }
  return predictions;
}

async function predictTable(
  { session, inputs, outputs, trees }: Model,
  table: Table,
  bindings: InputBinding[],
  choice: OutputChoice,
): Promise<Float64Array> {
  const bound = bindInputs(inputs, table, bindings);
  const output = chooseOutput(outputs, choice);
  const own = choice.column ? null : trees();
  if (own) return own.predict(bound[0]!.places.map(float32Values), table.rowCount);
  const fixed = inputs.find((input) => input.batch !== null)?.batch ?? null;
  const predictions = new Float64Array(table.rowCount);
  const batch = fixed ?? BATCH_ROWS;
  for (let start = 0; start < table.rowCount; start += batch) {
    const filled = Math.min(batch, table.rowCount - start);
    const rows = fixed ?? filled;
    const results = await run(session, namedFeeds(bound, start, filled, rows), output.name);
    predictions.set(valuesOf(results, rows, choice).subarray(0, filled), start);
  }
  return predictions;
}

async function run(
  session: InferenceSession,
  feeds: Record<string, Tensor>,
  output: string,
): Promise<Tensor> {
  try {
    // Only the wanted output is fetched: others may be maps, which the runtime's binding cannot hand over.
    const results = await session.run(feeds, [output]);
    return results[output] as Tensor;
  } catch (cause) {
    throw new ModelInvalid(`The model cannot be run: ${runtimeReason(cause)}`, { cause });
  }
}
