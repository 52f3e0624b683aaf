import { InferenceSession, Tensor } from "onnxruntime-node";
import { counted } from "#lib/contract/counted";
import type { Table } from "#lib/contract/table";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { BATCH_ROWS } from "./batch-rows.ts";
import { bindInputs, type InputBinding } from "./bindings.ts";
import { namedFeeds } from "./feeds.ts";
import { chooseOutput, type OutputChoice, valuesOf } from "./outputs.ts";
import { runtimeError } from "./runtime-reason.ts";
import { describe, type TensorInfo } from "./tensor-info.ts";

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
   * @param rowsBefore number of the caller's rows before the table, for messages
   * @throws ModelInvalid if inputs stay unbound, a column is missing or has the wrong type, or the chosen output does
   *   not have one number per row
   */
  predictNamed(
    table: Table,
    bindings: InputBinding[],
    choice?: OutputChoice,
    rowsBefore?: number,
  ): Promise<Float64Array>;
  /** Frees the runtime's memory. The session is unusable afterwards. */
  release(): Promise<void>;
};

/** Maximum number of rows that a model may fix for each call, because one row costs as much as all of them. */
const FIXED_BATCH_MAX = 10_000;

/**
 * Loads an ONNX model in the current process. Call it only in a process that may end (`testing/import-rules.ts`).
 *
 * @param options.threads threads per call, default 1, because callers run in parallel. With more threads, the runtime
 *   adds a single row's trees in another order than those of many rows, which changes the last bits.
 * @throws ModelInvalid if the runtime rejects the model, or if it fixes too many rows per call
 */
export async function openSession(
  bytes: Uint8Array,
  options: { threads?: number } = {},
): Promise<ModelSession> {
  const session = await createSession(bytes, options.threads ?? 1);
  const inputs = session.inputMetadata.map(describe);
  const outputs = session.outputMetadata.map(describe);
  const model: Model = { session, inputs, outputs };
  return {
    inputs,
    outputs,
    predict: (columns, rowCount) => predictMatrix(model, columns, rowCount),
    predictNamed: (table, bindings, choice = {}, rowsBefore = 0) =>
      predictTable(model, table, { bindings, choice, rowsBefore }),
    release: () => session.release(),
  };
}

type Model = { session: InferenceSession; inputs: TensorInfo[]; outputs: TensorInfo[] };

/**
 * Creates a session of the runtime.
 *
 * @throws ModelInvalid if the runtime rejects the model, or if it fixes too many rows per call
 */
export async function createSession(bytes: Uint8Array, threads: number): Promise<InferenceSession> {
  let session: InferenceSession;
  try {
    session = await InferenceSession.create(bytes, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: "sequential",
      logSeverityLevel: 4,
    });
  } catch (cause) {
    throw runtimeError("cannot be loaded", cause);
  }
  const fixed = session.inputMetadata.map(describe).find(({ batch }) => batch! > FIXED_BATCH_MAX);
  if (fixed) {
    throw new ModelInvalid(
      `The input "${fixed.name}" of the model has a fixed batch of ${fixed.batch!.toLocaleString("en")} rows. At most ${FIXED_BATCH_MAX.toLocaleString("en")} are supported. Export the model with an open number of rows.`,
    );
  }
  return session;
}

async function predictMatrix(
  { session, inputs, outputs }: Model,
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
  { session, inputs, outputs }: Model,
  table: Table,
  { bindings, choice, rowsBefore }: { bindings: InputBinding[]; choice: OutputChoice; rowsBefore: number },
): Promise<Float64Array> {
  const bound = bindInputs(inputs, table, bindings);
  const output = chooseOutput(outputs, choice);
  const fixed = inputs.find((input) => input.batch !== null)?.batch ?? null;
  const predictions = new Float64Array(table.rowCount);
  const batch = fixed ?? BATCH_ROWS;
  for (let start = 0; start < table.rowCount; start += batch) {
    const filled = Math.min(batch, table.rowCount - start);
    // Never a single row, as in `predictMatrix`.
    const rows = fixed ?? Math.max(2, filled);
    const results = await run(session, namedFeeds(bound, { start, filled, rowsBefore }, rows), output.name);
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
