import type { Comparison } from "#lib/contract/scenario-series";
import type { Table } from "#lib/contract/table";
import type { KnownTarget } from "#lib/domain/actuals/actuals-of";
import { type ChartWindow, chartOptions } from "#lib/domain/scenarios/chart-window";
import { acquireSlot } from "#lib/domain/scenarios/chunks/long-series-slots";
import {
  readTimes,
  requireComplete,
  type SharedTimes,
  type StoredSeries,
} from "#lib/domain/scenarios/chunks/read-predictions";
import type { Rows } from "#lib/domain/scenarios/chunks/read-series";
import { findScenarios, type ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { panelColumns } from "#lib/domain/scenarios/panel/cached-panel";
import { effectiveBoundsAt, readEffective } from "#lib/domain/scenarios/panel/effective-series";
import { choosesSeries } from "#lib/domain/scenarios/panel/resolve-series";
import { settleAll } from "#lib/platform/concurrency/settle-all";
import type { Context } from "#lib/platform/context/context";
import { AUTO_POINTS } from "./bucketing.ts";
import { comparedPointsTable } from "./buckets-table.ts";
import { type CompareRequest, compareScenarios } from "./compare-scenarios.ts";
import { type ComparedStretch, comparedStretches } from "./compared-stretches.ts";
import { comparisonTable, type WrittenScenario } from "./comparison-table.ts";
import type { ComparedAxis } from "./cut-compared.ts";
import { comparedActuals, findCompared } from "./find-compared.ts";
import { groupedComparisonTable } from "./groups-table.ts";
import { runSeriesTask } from "./series-tasks.ts";

/**
 * Returns every point of a comparison as a table in parts: each scenario's prediction, its interval and its difference from the baseline,
 * and the actual value if known. Only one stretch is in memory, however long the scenarios are and however slow the client
 * is. Aggregated points and sums of many series are few, and in memory together; groups of series follow page by page. If a
 * scenario is deleted during the download, the parts end with an error.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, series_not_found, validation_failed
 */
export async function downloadComparison(
  ctx: Context,
  { from, to, levels, bucket, aggregate, series, where, by, combine, weight, ...compared }: CompareRequest,
): Promise<{ title: string; parts: AsyncGenerator<Table> | Generator<Table> }> {
  const points = bucket === "auto" ? { maxPoints: AUTO_POINTS } : {};
  const choice = { series, where, by, combine, weight };
  const query = { ...compared, from, to, levels, bucket, aggregate, ...choice, ...points };
  if (by !== undefined) {
    const parts = groupedComparisonTable(by, (page) => compareTitled(ctx, { ...query, ...page }));
    const { rows, baseline } = await findCompared(ctx, compared);
    return { title: titleOf(runTitle(rows.find(({ name }) => name === baseline)!)), parts };
  }
  if (bucket !== undefined || choosesSeries(query)) {
    const { comparison } = await compareTitled(ctx, query);
    if (comparison.buckets || choosesSeries(query)) return inMemory(comparison);
  }
  const { rows, baseline } = await findCompared(ctx, compared);
  const panels = await Promise.all(rows.map(({ scenario }) => panelColumns(scenario)));
  if (panels.some((panel) => panel !== null)) return inMemory((await compareTitled(ctx, query)).comparison);
  const written = await Promise.all(rows.map((row) => writtenScenario(ctx, row)));
  const { axis, actuals } = await cutAxisOf(ctx, rows, baseline, { from, to });
  const stretches = comparedStretches(axis, actuals, (index, some, isTimed) =>
    readStretch(ctx, rows[index]!, some, isTimed),
  );
  const { title } = written.find(({ scenarioId }) => scenarioId === baseline)!;
  return {
    title: titleOf(title),
    parts: comparisonTable(written, baseline, { ...axis, levels }, stopIfDeleted(ctx, rows, stretches)),
  };
}

/** Compares scenarios and runs, with the titles of downloads. */
async function compareTitled(ctx: Context, query: CompareRequest): ReturnType<typeof compareScenarios> {
  const { comparison, next } = await compareScenarios(ctx, query);
  const scenarios = comparison.scenarios.map((one) => ({ ...one, title: titleOfRun(one) }));
  return { comparison: { ...comparison, scenarios }, next };
}

/** Adds the time of completion to the title of a named run, because all runs of a scenario have its title. */
function titleOfRun({ title, completedAt }: { title: string; completedAt?: string | undefined }): string {
  return completedAt === undefined
    ? title
    : `${title} (run of ${completedAt.slice(0, 19).replace("T", " ")} UTC)`;
}

const runTitle = ({ name, scenario: { id, title, completedAt } }: ScenarioRow) =>
  titleOfRun({ title, completedAt: name === id ? undefined : completedAt?.toISOString() });

/** Returns a comparison of aggregated points, or of sums of many series. */
function inMemory(comparison: Comparison) {
  const { title } = comparison.scenarios.find(({ id }) => id === comparison.baselineId)!;
  return { title: titleOf(title), parts: comparedPointsTable(comparison) };
}

const titleOf = (baseline: string) => `Comparison with ${baseline}`;

async function writtenScenario({ db }: Context, row: ScenarioRow): Promise<WrittenScenario> {
  const { name, scenario } = row;
  const { lower, upper } = await effectiveBoundsAt(db, scenario, Int32Array.of(0));
  const { intervals: shape } = scenario;
  return {
    scenarioId: name,
    title: runTitle(row),
    shape,
    has: { lower: lower !== null, upper: upper !== null },
  };
}

/**
 * Cost of a row, in the bytes by which `taskRunner` chooses between this thread and a new one. Scanning the times of two
 * million rows takes as long as starting a thread.
 */
const COST_PER_ROW = 1 / 4;

/** Cuts the axis. Only this step needs memory in proportion to the rows: it holds all times. */
async function cutAxisOf(
  ctx: Context,
  rows: readonly ScenarioRow[],
  baseline: string,
  window: ChartWindow,
): Promise<{ axis: ComparedAxis; actuals: KnownTarget | null }> {
  using _slot = await acquireSlot(rows, ctx.signal);
  const shared: SharedTimes = new Map();
  const series = await settleAll(
    rows.map(async ({ scenario: { runId, rowCount } }) => ({
      rowCount: rowCount ?? 0,
      timestamps: await readTimes(ctx.db, runId, rowCount ?? 0, shared),
    })),
  );
  const isTimed = series.every(({ timestamps }) => timestamps !== null);
  const options = chartOptions(window, isTimed);
  const shown = rows.map((row) => ({ row, panel: null }));
  const actuals = isTimed ? await comparedActuals(ctx, shown, baseline) : null;
  const bytes = series.reduce((sum, { rowCount }) => sum + rowCount, 0) * COST_PER_ROW;
  const request = { series, window: options, actuals };
  const axis = await runSeriesTask("cut", request, { bytes, signal: ctx.signal });
  return { axis, actuals: axis.hasActuals ? actuals : null };
}

async function readStretch(
  { db }: Context,
  { scenario }: ScenarioRow,
  rows: Rows | Int32Array,
  isTimed: boolean,
): Promise<StoredSeries> {
  const series = await readEffective(db, scenario, rows, isTimed);
  requireComplete(series, rows instanceof Int32Array ? rows.length : rows.to - rows.from);
  return series;
}

/** Stops the stream if a scenario has been deleted, even before the deletion job removes its rows. */
async function* stopIfDeleted(
  { db }: Context,
  rows: readonly ScenarioRow[],
  stretches: AsyncIterable<ComparedStretch>,
): AsyncGenerator<ComparedStretch> {
  const { projectId } = rows[0]!.scenario;
  const scenarioIds = rows.map(({ scenario }) => scenario.id);
  for await (const stretch of stretches) {
    await findScenarios(db, { projectId, scenarioIds });
    yield stretch;
  }
}
