import type { Table } from "#lib/contract/table";
import type { Warning } from "#lib/contract/warnings";
import { findSuspects } from "#lib/engine/leakage/find-suspects";
import type { Suspect } from "#lib/engine/leakage/suspect";
import { classesOfColumn, encodeClasses } from "#lib/engine/table/class-values";
import { numericValues, requireColumn } from "#lib/engine/table/columns";
import type { ColumnDescription } from "./describe-columns.ts";
import type { DatasetSettings } from "./settings.ts";

const unless = (one: boolean) =>
  one
    ? "Exclude it unless it is known before the target."
    : "Exclude the columns unless they are known before the target.";
const figure = (count: number) => count.toLocaleString("en");

/**
 * Warns about inputs that give the target away, name the rows, or are known only after the target.
 *
 * @param table in time order if there is a timestamp
 */
export function leakWarnings(
  table: Table,
  columns: readonly ColumnDescription[],
  { target, timestampColumns }: DatasetSettings,
): Warning[] {
  const timestamp = timestampColumns?.[0] ?? null;
  const inputs = columns.filter(({ role }) => role === "input").map(({ name }) => name);
  const times = timestamp === null ? null : numericValues(table, timestamp);
  const classes = classesOfColumn(requireColumn(table, target), false);
  const numbers = classes ? encodeClasses(table, target, classes) : table;
  return findSuspects(numbers, { target, timestamp, inputs }).map((suspect) =>
    warningOf(suspect, target, times),
  );
}

function warningOf(suspect: Suspect, target: string, times: Float64Array | null): Warning {
  const [column] = suspect.columns as [string, ...string[]];
  const one = suspect.columns.length === 1;
  const base = { code: suspect.kind, column: one ? column : null, columns: [...suspect.columns] };
  switch (suspect.kind) {
    case "equals_target": {
      const { formula, matchingRows, comparedRows } = suspect;
      return {
        ...base,
        message: `"${formula}" equals the target "${target}" in ${figure(matchingRows)} of ${figure(comparedRows)} rows. ${unless(one)}`,
        rows: matchingRows,
        evidence: { formula, matchingRows, comparedRows },
      };
    }
    case "explains_target": {
      const { r2, comparedRows } = suspect;
      return {
        ...base,
        message: `Column "${column}" alone predicts the target "${target}" with R² ${roundedDown(r2)} on unseen rows. ${unless(true)}`,
        evidence: { r2, comparedRows },
      };
    }
    case "identifier": {
      const { distinct, comparedRows } = suspect;
      return {
        ...base,
        message: `Column "${column}" has ${figure(distinct)} different values in ${figure(comparedRows)} rows. It names rows, so exclude it.`,
        evidence: { distinct, comparedRows },
      };
    }
    case "empty_in_newest_rows": {
      const { newestRows, last } = suspect;
      const lastTimestamp = new Date(times![last]!).toISOString();
      return {
        ...base,
        message: `Column "${column}" has no values in the newest ${figure(newestRows)} rows. Exclude it if it is known only after the target.`,
        rows: newestRows,
        evidence: { lastTimestamp },
      };
    }
  }
}

/** Formats an R² near 1 without rounding it up to 1: 0.99996. */
function roundedDown(r2: number): string {
  return String(r2 >= 1 ? 1 : Math.floor(r2 * 1e5) / 1e5);
}
