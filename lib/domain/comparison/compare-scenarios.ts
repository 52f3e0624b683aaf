import type { Comparison } from "#lib/contract/scenario-series";
import type { Summary } from "#lib/contract/scenarios";
import { type AtLevels, type ChartWindow, chartOptions } from "#lib/domain/scenarios/chart-window";
import { boundsAt } from "#lib/domain/scenarios/chunks/bounds-at";
import { acquireSlot } from "#lib/domain/scenarios/chunks/long-series-slots";
import type { SharedTimes, TimedPredictions } from "#lib/domain/scenarios/chunks/read-predictions";
import { cachedPoints } from "#lib/domain/scenarios/chunks/series-cache";
import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { pointBounds } from "#lib/engine/intervals/point-bounds";
import type { StoredTotals } from "#lib/engine/intervals/stored-totals";
import type { Bucketing, ComparedScenarios } from "#lib/engine/series/compare-scenarios";
import { presentBuckets } from "#lib/engine/series/present-buckets";
import { summarize } from "#lib/engine/series/summary";
import { settleAll } from "#lib/platform/concurrency/settle-all";
import type { Context } from "#lib/platform/context/context";
import { type BucketRequest, bucketingOf, upperBounds } from "./bucketing.ts";
import { cachedDifferingInputs } from "./cached-inputs.ts";
import { differenceBetween, noDifferenceInterval } from "./difference-between.ts";
import { type Compared, comparedActuals, findCompared } from "./find-compared.ts";
import { readTotals } from "./read-totals.ts";
import { runComparison } from "./series-tasks.ts";
import { spanSummary } from "./span-summary.ts";

type Differs = Comparison["differs"];

/**
 * Compares scenarios of a project with a baseline scenario, by default the first one.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed
 */
export async function compareScenarios(
  ctx: Context,
  {
    limit,
    offset = 0,
    levels,
    ...query
  }: Compared &
    ChartWindow &
    BucketRequest &
    AtLevels & { limit?: number | undefined; offset?: number | undefined },
): Promise<Comparison> {
  const { rows, baseline } = await findCompared(ctx, query);
  using _slot = await acquireSlot(rows, ctx.signal);
  const { stored, series, options, bucketing, actuals } = await readCompared(ctx, rows, baseline, query);
  const paged = limit === undefined ? options : { ...options, limit, offset };
  const request = { scenarios: series, baselineId: baseline, options: paged, actuals };
  const [inputs, { rowOf, spans, points, summaries, totals, bucketed, ...compared }] = await settleAll([
    cachedDifferingInputs(rows, stored, baseline),
    withIntervals(ctx, { rows, stored, levels, bucketing }, runComparison(request, ctx.signal)),
  ]);
  return {
    baselineId: baseline,
    scenarios: rows.map(({ scenario, checkpointLabel }, index) => ({
      id: scenario.id,
      title: scenario.title,
      color: scenario.color,
      checkpointId: scenario.checkpointId,
      checkpointLabel,
      rowCount: scenario.rowCount ?? 0,
      summary: scenario.summary ?? summarize(stored[index]!.prediction),
    })),
    ...compared,
    ...presentBuckets(bucketed, bucketing),
    series: compared.series.map((one, index) => ({
      ...one,
      ...points[index]!,
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

  function intervalOfDifference(index: number) {
    const side = (at: number) => ({ totals: totals.get(rows[at]!.scenario.id), rows: spans[at]!.rows });
    const base = rows.findIndex(({ scenario }) => scenario.id === baseline);
    const { totalDifference } = compared.series[index]!;
    return spans[index]!.isAligned
      ? differenceBetween(totalDifference, side(index), side(base))
      : noDifferenceInterval;
  }
}

type ToCompare = AtLevels & {
  rows: readonly ScenarioRow[];
  stored: readonly TimedPredictions[];
  bucketing: Bucketing | undefined;
};

/** Adds the bounds at the points, and each scenario's summary over the span with intervals. */
async function withIntervals(
  { db }: Context,
  { rows, stored, levels, bucketing }: ToCompare,
  comparison: Promise<ComparedScenarios>,
): Promise<
  ComparedScenarios & {
    points: Awaited<ReturnType<typeof pointBounds>>[];
    summaries: Summary[];
    totals: Map<string, StoredTotals>;
  }
> {
  const compared = await comparison;
  const totals = await readTotals(
    db,
    rows.map(({ scenario }) => scenario.id),
  );
  const aggregate = bucketing?.aggregate;
  const [points, summaries] = await settleAll([
    Promise.all(
      rows.map(({ scenario }, index) =>
        pointBounds(compared, index, (asked) => boundsAt(db, scenario, asked), {
          levels,
          shape: scenario.intervals,
          aggregate,
        }),
      ),
    ),
    Promise.all(
      rows.map(({ scenario }, index) =>
        spanSummary(db, scenario, {
          span: compared.spans[index]!,
          totals: totals.get(scenario.id),
          prediction: stored[index]!.prediction,
          levels,
        }),
      ),
    ),
  ]);
  return { ...compared, points, summaries, totals };
}

async function readCompared(
  ctx: Context,
  rows: readonly ScenarioRow[],
  baseline: string,
  { maxPoints, from, to, bucket, aggregate }: ChartWindow & BucketRequest,
) {
  const bucketing = await bucketingOf(ctx, rows, { bucket, aggregate });
  const times: SharedTimes = new Map();
  const stored = await settleAll(rows.map(({ scenario }) => cachedPoints(ctx.db, scenario, times)));
  const timed = stored.every(({ timestamps }) => timestamps !== null);
  const uppers = await upperBounds(ctx, rows, bucketing);
  const series = stored.map((one, index) => ({
    scenarioId: rows[index]!.scenario.id,
    ...one,
    upper: uppers[index]!,
  }));
  const actuals = timed ? await comparedActuals(ctx, rows, baseline) : null;
  const options = {
    ...chartOptions({ maxPoints, from, to }, timed),
    ...(bucketing && { bucket: bucketing }),
  };
  return { stored, series, options, bucketing, actuals };
}

type Used = { projectId: string | null; checkpointId: string; label: string; scenarioId: string };

/** Returns each checkpoint with the scenarios that use it. Empty if all scenarios use the same checkpoint. */
function differingCheckpoints(rows: readonly ScenarioRow[]): Differs["checkpoints"] {
  const used = rows.flatMap(({ scenario, checkpointLabel }): Used[] =>
    scenario.checkpointId === null
      ? []
      : [
          {
            projectId: null,
            checkpointId: scenario.checkpointId,
            label: checkpointLabel ?? "",
            scenarioId: scenario.id,
          },
        ],
  );
  return groupedIfSeveral(used);
}

/** Returns the checkpoints of each upstream project in the same way. */
function differingUpstreams(rows: readonly ScenarioRow[]): Differs["dependentCheckpoints"] {
  const used = rows.flatMap(({ scenario, pinned }) =>
    pinned.flatMap(({ projectId, checkpointId, label }): Used[] =>
      checkpointId === null ? [] : [{ projectId, checkpointId, label: label ?? "", scenarioId: scenario.id }],
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
