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
import { runtimeError } from "./runtime-reason.ts";
import { describe, rowWidth, type TensorInfo } from "./tensor-info.ts";

export type { InputBinding } from "./feeds.ts";

export type ModelSession = {
  inputs: TensorInfo[];
  outputs: TensorInfo[];
  /**
   * Predicts with a model that has one numeric matrix [N, columns] and one output. Returns the output of each row.
   * Rows go to the runtime in batches; results do not depend on batch boundaries.
   */
  predict(columns: Float32Array[], rowCount: number): Promise<Float64Array>;
  /**
   * Predicts with any model. Passes the table's columns to the bound inputs, converted to the input types.
   *
   * @throws ModelInvalid if inputs stay unbound, a column is missing or has the wrong type, or the chosen output does
   *   not have one number per row
   */
  predictNamed(table: Table, bindings: InputBinding[], choice?: OutputChoice): Promise<Float64Array>;
  /** Program for the same evaluation elsewhere without the runtime. Null for most imported models. */
  trees(): EnsembleProgram | null;
  /** Frees the runtime's memory. The session is unusable afterwards. */
  release(): Promise<void>;
};

/** Large enough to hide the cost of a call, small enough that the matrix stays in the processor's cache. */
export const BATCH_ROWS = 8192;

/**
 * Loads an ONNX model.
 *
 * @param options.threads threads per call, default 1, because callers run in parallel. With more threads, the runtime
 *   adds a single row's trees in another order than those of many rows, which changes the last bits.
 * @param options.runtimeOnly evaluates trees of `treesToOnnx` with the runtime too, as the reference for this
 *   service's evaluator
 * @throws ModelInvalid if the runtime rejects the model. An imported file must have passed `inspectOnnx` and
 *   `smokeRun` first, because this function loads it in the current process
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
    // Created on first use, because many models are opened only to be inspected.
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
  /** Evaluator used instead of the runtime, with the same results to the bit. Null for most imported models. */
  trees(): EnsembleEvaluator | null;
};

function evaluatorOfFile(bytes: Uint8Array): EnsembleEvaluator | null {
  const trees = readTrees(bytes);
  return trees && evaluatorOf(trees);
}

/** Creates a session of the runtime. @throws ModelInvalid if the runtime rejects the model */
export async function createSession(bytes: Uint8Array, threads: number): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(bytes, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: "sequential",
      logSeverityLevel: 4,
    });
  } catch (cause) {
    throw runtimeError("cannot be loaded", cause);
  }
}

async function predictMatrix(
  { session, inputs, outputs, trees }: Model,
  columns: Float32Array[],
  rowCount: number,
): Promise<Float64Array> {
  const input = inputs[0];
  if (inputs.length !== 1 || input?.elementType !== "float32") {
    throw new ModelInvalid("The model does not take one float matrix. Bind its inputs by name.");
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
    // Never a single row: the runtime's matrix product would add in another order and return other last bits.
    const rows = input.batch ?? Math.max(2, filled);
    // If the batch is larger than the remaining rows, the rest of the matrix stays 0 and its results are dropped.
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
    // Never a single row, as in `predictMatrix`.
    const rows = fixed ?? Math.max(2, filled);
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
    // Fetches only the wanted output. Others may be maps, which the runtime's binding cannot return.
    const results = await session.run(feeds, [output]);
    return results[output] as Tensor;
  } catch (cause) {
    throw runtimeError("cannot be run", cause);
  }
}
