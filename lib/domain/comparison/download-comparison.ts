import type { Context } from "#lib/context/context";
import type { KnownTarget } from "#lib/domain/actuals/actuals-of";
import { findScenarios } from "#lib/domain/scenarios/find-scenario";
import { boundsAt } from "#lib/domain/scenarios/predictions/bounds-at";
import {
  readPredictions,
  readTimes,
  requireWhole,
  type SharedTimes,
  type StoredSeries,
} from "#lib/domain/scenarios/predictions/read-predictions";
import type { Rows } from "#lib/domain/scenarios/predictions/read-series";
import type { ScenarioRow } from "#lib/domain/scenarios/queries";
import { turnFor } from "#lib/scenarios/comparison/long-turns";
import { runInputTask } from "#lib/scenarios/input/run-input-task";
import { type ChartWindow, chartOptions } from "#lib/scenarios/scenario-predictions";
import { whenAllEnded } from "#lib/turns/when-all-ended";
import { type ComparedStretch, comparedStretches } from "./compared-stretches.ts";
import { comparisonCsv, type WrittenScenario } from "./comparison-csv.ts";
import type { ComparedAxis } from "./cut-compared.ts";
import { type Compared, comparedActuals, findCompared } from "./find-compared.ts";

/**
 * Every point of a comparison as CSV, piece by piece: of each scenario the prediction, its interval and its difference
 * from the baseline, and what was where that is known. However long they are and however slowly it is read, no more than
 * a stretch of them is in memory. A scenario that is deleted in the midst of it ends it with an error.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed
 */
export async function downloadComparison(
  ctx: Context,
  { from, to, ...compared }: Compared & ChartWindow,
): Promise<{ title: string; pieces: AsyncGenerator<string> }> {
  const { rows, baseline } = await findCompared(ctx, compared);
  const written = await Promise.all(rows.map((row) => writtenScenario(ctx, row)));
  const { axis, actuals } = await cutAxisOf(ctx, rows, baseline, { from, to });
  const stretches = comparedStretches(axis, actuals, (index, some, isTimed) =>
    readStretch(ctx, rows[index]!, some, isTimed),
  );
  const { title } = written.find(({ scenarioId }) => scenarioId === baseline)!;
  return {
    title: `Comparison with ${title}`,
    pieces: comparisonCsv(written, baseline, axis, whileThere(ctx, rows, stretches)),
  };
}

async function writtenScenario({ db }: Context, { scenario }: ScenarioRow): Promise<WrittenScenario> {
  const { lower, upper } = await boundsAt(db, scenario, Int32Array.of(0));
  const { id, title } = scenario;
  return { scenarioId: id, title, has: { lower: lower !== null, upper: upper !== null } };
}

/** Times of two million rows are gone through in the time that a thread takes to start. */
const BYTES_PER_ROW = 1 / 4;

/** The only part that takes memory by their length: all of their times. */
async function cutAxisOf(
  ctx: Context,
  rows: readonly ScenarioRow[],
  baseline: string,
  window: ChartWindow,
): Promise<{ axis: ComparedAxis; actuals: KnownTarget | null }> {
  using _turn = await turnFor(rows, ctx.signal);
  const shared: SharedTimes = new Map();
  const series = await whenAllEnded(
    rows.map(async ({ scenario: { id, rowCount } }) => ({
      rowCount: rowCount ?? 0,
      timestamps: await readTimes(ctx.db, id, rowCount ?? 0, shared),
    })),
  );
  const isTimed = series.every(({ timestamps }) => timestamps !== null);
  const options = chartOptions(window, isTimed);
  const actuals = isTimed ? await comparedActuals(ctx, rows, baseline) : null;
  const bytes = series.reduce((sum, { rowCount }) => sum + rowCount, 0) * BYTES_PER_ROW;
  const request = { series, window: options, actuals };
  const axis = await runInputTask("cut", request, { bytes, signal: ctx.signal });
  return { axis, actuals: axis.isKnown ? actuals : null };
}

async function readStretch(
  { db }: Context,
  { scenario }: ScenarioRow,
  rows: Rows | Int32Array,
  isTimed: boolean,
): Promise<StoredSeries> {
  const series = await readPredictions(db, scenario.id, rows, isTimed);
  requireWhole(series, rows instanceof Int32Array ? rows.length : rows.to - rows.from);
  return series;
}

/** What was deleted since does not go on to be given out, although a job removes it only later. */
async function* whileThere(
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
