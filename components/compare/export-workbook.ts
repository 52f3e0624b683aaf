import writeXlsxFile from "write-excel-file/browser";
import { ApiError, api } from "#components/api/client.ts";
import { comparePath } from "#components/api/queries.ts";
import { runParam, whereParams } from "#components/api/query-of.ts";
import { nameRuns } from "#components/chart/name-runs.ts";
import type { Displays, Shown } from "#components/display/shown.ts";
import { outlookUnits } from "#components/outlook/outlook-text.ts";
import type { SeriesCalendar } from "#components/time/period.ts";
import { splitRunName } from "#lib/contract/run-names";
import type { Difference } from "#lib/contract/scenario-differences";
import {
  type CompareState,
  compareQuery,
  differenceQuery,
  explainedSpan,
  isSplitAtOnce,
} from "./compare-query.ts";
import { type ComparedBy, SHEET_GROUPS_MAX } from "./group-sheets.ts";
import type { ScenarioOutlook } from "./outlook-sheet.ts";
import { narrowerSpan, totalsQuery } from "./summary-span.ts";
import { workbookIssue, workbookSheets } from "./workbook.ts";

/**
 * Returns the shown comparison as a workbook with all points of the span.
 *
 * @param options.points number of these points
 * @param options.columns columns by which series are grouped; empty for one series
 * @throws {Error} with the reason, if there are too many
 */
export async function exportWorkbook(
  projectId: string,
  state: CompareState,
  {
    points,
    columns,
    ...names
  }: {
    points: number;
    columns: readonly string[];
    target: Shown;
    displays: Displays;
    calendar: SeriesCalendar;
  },
): Promise<Blob> {
  const issue = workbookIssue(points, state.ids.length);
  if (issue !== null) throw new Error(issue);
  const compare = async (query: string) => nameRuns(await api.get(comparePath(projectId, query)));
  const comparison = await compare(compareQuery(state));
  const span = narrowerSpan(comparison);
  const totals = span ? await compare(totalsQuery(state, span)) : comparison;
  const { baselineId, scenarios } = comparison;
  const differences: Difference[] = [];
  const outlooks: ScenarioOutlook[] = [];
  // One after another, because each takes the service up to seconds.
  for (const { id, title, rowCount } of scenarios) {
    const { scenarioId, run } = splitRunName(id);
    const path = `/projects/${projectId}/scenarios/${scenarioId}` as const;
    const isLong = !isSplitAtOnce(state, id, rowCount);
    for (const [unit, unitName] of comparison.timestamps ? outlookUnits(names.calendar.frequency) : []) {
      const query = `period=${unit}${whereParams(state.where)}${runParam(run)}` as const;
      const periods = isLong ? null : await api.get(`${path}/outlook?${query}`).catch(nullIfTooMany);
      outlooks.push({ title, unit, unitName, periods });
    }
    if (isLong || id === baselineId) continue;
    const query = differenceQuery(span ?? explainedSpan(state, comparison), baselineId, {
      maxPoints: 2,
      where: state.where,
    });
    differences.push(await api.get(`${path}/difference?${query}${runParam(run)}`));
  }
  const levels: ComparedBy[] = [];
  for (const by of columns) {
    const summed = span ? { ...state, ...span, bucket: "rows" as const } : state;
    const query = compareQuery(summed, { maxPoints: 2, by, limit: SHEET_GROUPS_MAX });
    levels.push({ by, comparison: await compare(query) });
  }
  const sheets = workbookSheets({ comparison, totals, differences, outlooks, levels }, names);
  return writeXlsxFile(sheets).toBlob();
}

/** A scenario can have more periods than the service returns. */
function nullIfTooMany(error: unknown): null {
  if (error instanceof ApiError && error.status === 400) return null;
  throw error;
}
