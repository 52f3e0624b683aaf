import type { Displays, Shown } from "#components/display/shown.ts";
import { type Cell, sheetOf, type WorkbookSheet } from "#components/workbook/workbook-sheet.ts";
import type { Comparison } from "#lib/contract/scenario-series";

/** Maximum number of groups of a sheet, which the service returns at once. */
export const SHEET_GROUPS_MAX = 1_000;
/** Maximum length of a sheet's name, and characters that it cannot contain. */
const NAME_MAX = 31;
const FORBIDDEN = /[[\]:*?/\\]/g;

/** A comparison with the groups of one column. */
export type ComparedBy = { by: string; comparison: Comparison };

/** Returns one sheet for each column of groups: their totals by each scenario, and the differences from the baseline. */
export function groupSheets(
  levels: readonly ComparedBy[],
  { target, displays }: { target: Shown; displays: Displays },
): WorkbookSheet[] {
  return levels.map(({ by, comparison: { baselineId, scenarios, groups = [] } }, at) => {
    const header: Cell[] = [
      displays(by).name,
      "Series",
      ...scenarios.flatMap(({ id, title }) => [
        target.head(title),
        ...(id === baselineId ? [] : [target.head(`${title}, difference`)]),
      ]),
    ];
    const rows = groups.map(({ values, seriesCount, series }): Cell[] => [
      values[by] || "none",
      seriesCount,
      ...series.flatMap(({ scenarioId, total, totalDifference }) => [
        total,
        ...(scenarioId === baselineId ? [] : [totalDifference]),
      ]),
    ]);
    const more =
      groups.length < SHEET_GROUPS_MAX
        ? []
        : [[`Only the ${SHEET_GROUPS_MAX} largest are listed. Export as CSV for all.`]];
    // Numbered, because two long names may begin alike.
    const name = `${at + 1} By ${by}`.replaceAll(FORBIDDEN, " ").slice(0, NAME_MAX).trim();
    return sheetOf(name, [header, ...rows, ...more]);
  });
}
