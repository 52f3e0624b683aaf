import type { Table } from "#lib/contract/table";
import { laterOf } from "#lib/domain/models/linked/known-rows";
import { inFeatureOrder } from "#lib/domain/models/linked/series-tables";
import { TableAdjuster } from "#lib/engine/inference/adjust";
import type { AdjustmentIssue, InputAdjustment } from "#lib/engine/inference/adjustments";
import type { InputCheck } from "#lib/engine/inference/check-input";
import { InputRowsCheck } from "#lib/engine/inference/check-rows";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { dropColumns } from "#lib/engine/table/columns";
import { type InputNotes, type InputSummary, summarizeInput, writeInputRows } from "./scenario-input.ts";
import { StoredInput } from "./stored-input.ts";

/** A task on a stored input: check its rows for another model, or adjust them. Plain data for a worker thread. */
export type AdjustRows = {
  /** Folder of the input. */
  inputKey: string;
  adjustments: InputAdjustment[];
  /** The timestamp column. */
  timestamp: string | null;
  /** Features of the model that reads the adjusted rows. */
  features: InputFeature[];
  /** Target of that model. */
  target: string;
  /** Columns that name the series of a row. Adjustments would move rows between series, so they must not change them. */
  series: readonly string[];
  /**
   * Folder to store the rows in, without the columns of `without`. `before` stores the original rows, `adjusted` the
   * adjusted rows in the order of the features.
   */
  store: { key: string; rows: "before" | "adjusted"; without: readonly string[]; notes: InputNotes } | null;
};

export type AdjustedRows = InputSummary & {
  /** Reasons why adjustments cannot be applied. */
  unfit: AdjustmentIssue[];
  /** Number of rows that each adjustment changed. */
  changedRows: readonly number[];
  check: Omit<InputCheck, "table">;
};

/**
 * Adjusts the rows of an input and checks them for a model, block by block. Stores nothing if any row has an issue. The
 * input can be larger than memory.
 *
 * @throws {ArtifactNotFoundError} if the input was deleted
 */
export async function adjustRows(work: AdjustRows): Promise<AdjustedRows> {
  const { inputKey, adjustments, timestamp, features, target, series, store } = work;
  const input = await StoredInput.open(inputKey);
  const adjusting = new TableAdjuster(input.columns, adjustments, timestamp);
  const check = new InputRowsCheck(features, target);
  const ofSeries = seriesIssues(adjustments, series);
  let latest: number | null = null;
  const result = (): AdjustedRows => ({
    columns: input.columns.map(({ name }) => name),
    rowCount: input.rowCount,
    latest,
    unfit: [...ofSeries, ...adjusting.issues],
    changedRows: adjusting.changedRows,
    check: check.check,
  });
  if (ofSeries.length + adjusting.issues.length > 0) return result();
  // An imported model reads no times.
  const unread = timestamp === null || features.some(({ name }) => name === timestamp) ? [] : [timestamp];
  async function* rows(): AsyncGenerator<Table> {
    for await (const block of input.rows()) {
      const adjusted = adjusting.apply(block);
      check.add(dropColumns(adjusted, unread));
      latest = laterOf(latest, summarizeInput(block, timestamp).latest);
      yield store?.rows === "adjusted" ? inFeatureOrder(features, adjusted) : block;
    }
    if (adjusting.issues.length > 0 || check.check.issueCount > 0) throw new UnusableRows();
  }
  try {
    if (store === null) for await (const _ of rows());
    else await writeInputRows(store.key, without(rows(), store.without), store.notes);
  } catch (error) {
    if (!(error instanceof UnusableRows)) throw error;
  }
  return result();
}

/** Returns the issues of adjustments that would change the series of a row. */
export function seriesIssues(
  adjustments: readonly InputAdjustment[],
  series: readonly string[],
): AdjustmentIssue[] {
  return adjustments.flatMap(({ feature }, adjustment) =>
    series.includes(feature)
      ? {
          adjustment,
          code: "series_column",
          message: `Adjustment ${adjustment + 1}: "${feature}" names the series of a row and cannot be changed. Name it in \`where\` to choose rows.`,
        }
      : [],
  );
}

/** Stops the writing of rows with issues. */
class UnusableRows extends Error {}

async function* without(blocks: AsyncIterable<Table>, names: readonly string[]): AsyncGenerator<Table> {
  for await (const block of blocks) yield dropColumns(block, names);
}
