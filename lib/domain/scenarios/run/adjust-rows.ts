import type { Table } from "#lib/contract/table";
import { Adjusting } from "#lib/engine/inference/adjust";
import type { AdjustmentFault, InputAdjustment } from "#lib/engine/inference/adjustments";
import type { InputCheck } from "#lib/engine/inference/check-input";
import { InputRowsCheck } from "#lib/engine/inference/check-rows";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { dropColumns } from "#lib/engine/table/columns";
import {
  type InputNotes,
  type InputSummary,
  laterOf,
  summarizeInput,
  writeInputRows,
} from "./scenario-input.ts";
import { inFeatureOrder } from "./series-tables.ts";
import { StoredInput } from "./stored-input.ts";

/** Rows of a stored input for another model, or with adjustments: plain data, so that a thread can be told. */
export type AdjustRows = {
  /** Folder of the input. */
  inputKey: string;
  adjustments: InputAdjustment[];
  /** The column of times. */
  timestamp: string | null;
  /** What is expected of the adjusted rows: features of the model that is to read them, and its target. */
  features: InputFeature[];
  target: string;
  /** Where to store them, without these columns; as they were before, or adjusted and in the order of the features. */
  store: { key: string; rows: "before" | "adjusted"; without: readonly string[]; notes: InputNotes } | null;
};

export type AdjustedRows = InputSummary & {
  /** Why adjustments cannot be applied. */
  unfit: AdjustmentFault[];
  /** How many rows each adjustment has changed. */
  changedRows: readonly number[];
  check: Omit<InputCheck, "table">;
};

/**
 * Adjusts the rows of an input and checks them for a model, block by block, and stores them where they have no faults. Of
 * rows that a model predicts each by itself there may be more than memory holds.
 *
 * @throws {ArtifactNotFoundError} where the input is gone
 */
export async function adjustRows(work: AdjustRows): Promise<AdjustedRows> {
  const { inputKey, adjustments, timestamp, features, target, store } = work;
  const input = await StoredInput.open(inputKey);
  const adjusting = new Adjusting(input.columns, adjustments, timestamp);
  const check = new InputRowsCheck(features, target);
  let latest: number | null = null;
  const result = (): AdjustedRows => ({
    columns: input.columns.map(({ name }) => name),
    ...{ rowCount: input.rowCount, latest },
    unfit: adjusting.faults,
    changedRows: adjusting.changedRows,
    check: check.check,
  });
  if (adjusting.faults.length > 0) return result();
  // A model from outside reads no times.
  const unread = timestamp === null || features.some(({ name }) => name === timestamp) ? [] : [timestamp];
  async function* rows(): AsyncGenerator<Table> {
    for await (const block of input.rows()) {
      const adjusted = adjusting.apply(block);
      check.add(dropColumns(adjusted, unread));
      latest = laterOf(latest, summarizeInput(block, timestamp).latest);
      yield store?.rows === "adjusted" ? inFeatureOrder(features, adjusted) : block;
    }
    if (adjusting.faults.length > 0 || check.check.faultCount > 0) throw new UnusableRows();
  }
  try {
    if (store === null) for await (const _ of rows());
    else await writeInputRows(store.key, without(rows(), store.without), store.notes);
  } catch (error) {
    if (!(error instanceof UnusableRows)) throw error;
  }
  return result();
}

/** Ends the writing of rows that turned out to have faults. */
class UnusableRows extends Error {}

async function* without(blocks: AsyncIterable<Table>, names: readonly string[]): AsyncGenerator<Table> {
  for await (const block of blocks) yield dropColumns(block, names);
}
