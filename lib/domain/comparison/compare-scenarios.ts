import type { Comparison } from "#lib/contract/scenario-series";
import type { Summary } from "#lib/contract/scenarios";
import { type AtLevels, type ChartWindow, chartOptions } from "#lib/domain/scenarios/chart-window";
import { acquireSlot } from "#lib/domain/scenarios/chunks/long-series-slots";
import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { storedSummary } from "#lib/domain/scenarios/panel/effective-series";
import type { GroupPage, SeriesQuery } from "#lib/domain/scenarios/panel/resolve-series";
import { boundsOfShown, readShown, type ShownScenario } from "#lib/domain/scenarios/panel/shown-scenarios";
import { pointBounds } from "#lib/engine/intervals/point-bounds";
import type { StoredTotals } from "#lib/engine/intervals/stored-totals";
import type { Bucketing, ComparedScenarios } from "#lib/engine/series/compare-scenarios";
import { presentBuckets } from "#lib/engine/series/present-buckets";
import { presentSeries } from "#lib/engine/series/present-series";
import { summarize, wireNumbers } from "#lib/engine/series/summary";
import { eventLoopTurns } from "#lib/platform/concurrency/event-loop-turns";
import { settleAll } from "#lib/platform/concurrency/settle-all";
import type { Context } from "#lib/platform/context/context";
import { type BucketRequest, bucketingOf, upperBounds } from "./bucketing.ts";
import { cachedDifferingInputs } from "./cached-inputs.ts";
import { compareGroups } from "./compare-groups.ts";
import { differenceBetween, noDifferenceInterval } from "./difference-between.ts";
import { type Compared, comparedActuals, findCompared } from "./find-compared.ts";
import { readTotals } from "./read-totals.ts";
import { runComparison } from "./series-tasks.ts";
import { panelSummary, spanSummary } from "./span-summary.ts";

type Differs = Comparison["differs"];

export type CompareRequest = Compared &
  ChartWindow &
  BucketRequest &
  AtLevels &
  SeriesQuery &
  GroupPage & { offset?: number | undefined };

/**
 * Compares scenarios of a project with a baseline scenario, by default the first one. With many series: the sums of the chosen
 * ones, and a page of the groups if the query has `by`.
 *
 * @returns the comparison, and the number of groups up to the end of the page if more follow
 * @throws {DomainError} scenario_not_found, scenario_not_ready, series_not_found, validation_failed
 */
export async function compareScenarios(
  ctx: Context,
  { limit, offset = 0, after, levels, ...query }: CompareRequest,
): Promise<{ comparison: Comparison; next: number | null }> {
  const { rows, baseline } = await findCompared(ctx, query);
  using _slot = await acquireSlot(rows, ctx.signal);
  const { shown, by, series, options, bucketing, actuals } = await readCompared(ctx, rows, baseline, query);
  const paged = limit === undefined || by.length > 0 ? options : { ...options, limit, offset };
  const request = { scenarios: series, baselineId: baseline, options: paged, actuals };
  const [inputs, { compared: found, points, summaries, totals }] = await settleAll([
    cachedDifferingInputs(ctx, rows, shown, baseline),
    withIntervals(ctx, { shown, levels, bucketing }, runComparison(request, ctx.signal)),
  ]);
  const { rowOf: _, sent: __, spans, bucketed, actual, ...compared } = found;
  const comparison = {
    baselineId: baseline,
    scenarios: rows.map(({ name, scenario, checkpointLabel }, index) => ({
      id: name,
      runId: scenario.runId,
      title: scenario.title,
      color: scenario.color,
      checkpointId: scenario.checkpointId,
      checkpointLabel,
      rowCount: scenario.rowCount ?? 0,
      summary:
        (shown[index]!.panel === null && storedSummary(scenario)) ||
        summarize(shown[index]!.points.prediction),
      ...(name !== scenario.id && { completedAt: scenario.completedAt!.toISOString() }),
    })),
    ...compared,
    actual: actual && wireNumbers(actual),
    ...presentBuckets(bucketed, bucketing),
    series: points.map((one, index) => ({
      ...one,
      rowCount: spans[index]!.rowCount,
      valueCount: spans[index]!.valueCount,
      summary: summaries[index]!,
      ...intervalOfDifference(index),
    })),
    differs: {
      inputs,
      checkpoints: differingCheckpoints(rows),
      dependentCheckpoints: differingUpstreams(rows),
    },
  };
  if (by.length === 0) return { comparison, next: null };
  const grouped = { by, shown, baselineId: baseline, compared: found, options, levels };
  const { groups, next } = await compareGroups(ctx, { ...grouped, page: { limit, after } });
  return { comparison: { ...comparison, groups }, next };

  function intervalOfDifference(index: number) {
    const side = (at: number) => ({ totals: totals.get(rows[at]!.scenario.runId), rows: spans[at]!.rows });
    const base = rows.findIndex(({ name }) => name === baseline);
    const { totalDifference } = compared.series[index]!;
    // The members of a model say nothing about a person's values.
    const isCalculated = [index, base].every((at) => rows[at]!.scenario.overrides.length === 0);
    return spans[index]!.isAligned && isCalculated
      ? differenceBetween(totalDifference, side(index), side(base))
      : noDifferenceInterval;
  }
}

type ToCompare = AtLevels & { shown: readonly ShownScenario[]; bucketing: Bucketing | undefined };

type WithIntervals = {
  compared: ComparedScenarios;
  points: (ReturnType<typeof presentSeries> & Awaited<ReturnType<typeof pointBounds>>)[];
  summaries: Summary[];
  totals: Map<string, StoredTotals>;
};

/** Presents the points with their bounds, and each scenario's summary over the span with intervals. */
async function withIntervals(
  ctx: Context,
  { shown, levels, bucketing }: ToCompare,
  comparison: Promise<ComparedScenarios>,
): Promise<WithIntervals> {
  const compared = await comparison;
  // The stored totals of a panel are those of all rows, whose errors are not independent.
  const plain = shown.filter(({ panel }) => panel === null);
  const totals = await readTotals(
    ctx.db,
    plain.map(({ row }) => row.scenario.runId),
  );
  const aggregate = bucketing?.aggregate;
  const turn = eventLoopTurns();
  const [points, summaries] = await settleAll([
    Promise.all(
      shown.map(async (one, index) => {
        const boundsAt = boundsOfShown(ctx, one);
        const inTurn = async (rows: Int32Array) => {
          const bounds = await boundsAt(rows);
          await turn();
          return bounds;
        };
        const shape = one.row.scenario.intervals;
        const bounds = await pointBounds(compared, index, inTurn, { levels, shape, aggregate });
        return { ...presentSeries(compared.series[index]!), ...bounds };
      }),
    ),
    Promise.all(
      shown.map((one, index) => {
        const span = compared.spans[index]!;
        const { row, points, panel } = one;
        if (panel !== null) return panelSummary(ctx, one, { span, levels });
        const { prediction } = points;
        const known = totals.get(row.scenario.runId);
        return spanSummary(ctx.db, row.scenario, { span, totals: known, prediction, levels });
      }),
    ),
  ]);
  return { compared, points, summaries, totals };
}

async function readCompared(
  ctx: Context,
  rows: readonly ScenarioRow[],
  baseline: string,
  { maxPoints, from, to, bucket, aggregate, ...choiceOf }: ChartWindow & BucketRequest & SeriesQuery,
) {
  const bucketing = await bucketingOf(ctx, rows, { bucket, aggregate });
  const { series, where, by, combine, weight } = choiceOf;
  const { shown, choice } = await readShown(ctx, rows, { series, where, by, combine, weight });
  const timed = shown.every(({ points }) => points.timestamps !== null);
  const uppers = await upperBounds(ctx, shown, bucketing);
  const compared = shown.map(({ row, points }, index) => ({
    scenarioId: row.name,
    ...points,
    ...uppers[index]!,
  }));
  // Known values are of the series, whose weights may be known only for the scenario's rows.
  const actuals = timed && combine !== "mean" ? await comparedActuals(ctx, shown, baseline) : null;
  const options = {
    ...chartOptions({ maxPoints, from, to }, timed),
    ...(bucketing && { bucket: bucketing }),
  };
  return { shown, by: choice.by, series: compared, options, bucketing, actuals };
}

type Used = { projectId: string | null; checkpointId: string; label: string; scenarioId: string };

/** Returns each checkpoint with the scenarios that use it. Empty if all scenarios use the same checkpoint. */
function differingCheckpoints(rows: readonly ScenarioRow[]): Differs["checkpoints"] {
  const used = rows.flatMap(({ name, scenario, checkpointLabel }): Used[] =>
    scenario.checkpointId === null
      ? []
      : [
          {
            projectId: null,
            checkpointId: scenario.checkpointId,
            label: checkpointLabel ?? "",
            scenarioId: name,
          },
        ],
  );
  return groupedIfSeveral(used);
}

/** Returns the checkpoints of each upstream project in the same way. */
function differingUpstreams(rows: readonly ScenarioRow[]): Differs["dependentCheckpoints"] {
  const used = rows.flatMap(({ name, pinned }) =>
    pinned.flatMap(({ projectId, checkpointId, label }): Used[] =>
      checkpointId === null ? [] : [{ projectId, checkpointId, label: label ?? "", scenarioId: name }],
    ),
  );
  return [...Map.groupBy(used, ({ projectId }) => projectId).values()].flatMap((ofProject) =>
    // A scenario that does not use the project differs from the scenarios that use it.
    ofProject.length < rows.length ? grouped(ofProject) : groupedIfSeveral(ofProject),
  );
}

function groupedIfSeveral(used: readonly Used[]): Differs["checkpoints"] {
  const groups = grouped(used);
  return groups.length > 1 ? groups : [];
}

function grouped(used: readonly Used[]): Differs["checkpoints"] {
  return [...Map.groupBy(used, ({ checkpointId }) => checkpointId).values()].map((same) => {
    const { projectId, checkpointId, label } = same[0]!;
    return { projectId, checkpointId, label, scenarioIds: same.map(({ scenarioId }) => scenarioId) };
  });
}
