import type { Table } from "#lib/contract/table";
import type { InputBinding } from "#lib/engine/runtime/bindings";
import type { OutputChoice } from "#lib/engine/runtime/outputs";
import type { FeatureContributions } from "./contributions.ts";

/** How a table becomes the input of an ONNX file, and which of its values are the predictions. */
export type ModelUse = {
  /** Null: the columns are the columns of the model's only input, a matrix. */
  bindings: InputBinding[] | null;
  choice: OutputChoice;
};

/** Work with a model, and its result, by kind. */
type Kinds = {
  /** `rowsBefore`: number of the caller's rows before the table, for messages. */
  predict: { work: { table: Table; rowsBefore: number }; result: Float64Array };
  /** Null for a model other than trees. */
  explain: { work: { table: Table; predictions: Float64Array }; result: FeatureContributions | null };
};

export type ModelWork = { [K in keyof Kinds]: { kind: K } & Kinds[K]["work"] }[keyof Kinds];
export type ResultOf<W extends ModelWork> = Kinds[W["kind"]]["result"];

/** An ONNX file in use, as plain data and a function that reads the file. */
export type UsedModel = {
  /** Identifies the file and its use among those of its project. */
  key: string;
  use: ModelUse;
  /** Size of the file in bytes. */
  size: number;
  read(): Promise<Uint8Array>;
};

/**
 * Runs the work of one ONNX file where it cannot harm the service. The work has at most one batch of rows.
 *
 * @throws ModelInvalid if the model rejects the work or exceeds a limit; the reason of the end of the job
 */
export type ModelRunner = <W extends ModelWork>(
  model: Omit<UsedModel, "key" | "read">,
  work: W,
) => Promise<ResultOf<W>>;
