import type { Context } from "#lib/context/context";
import type { Comparison } from "#lib/contract/scenario-series";
import { boundsAt } from "#lib/domain/scenarios/predictions/bounds-at";
import type { Bounds, SharedTimes } from "#lib/domain/scenarios/predictions/read-predictions";
import { cachedPoints } from "#lib/domain/scenarios/predictions/series-cache";
import type { ScenarioRow } from "#lib/domain/scenarios/queries";
import type { ComparedScenarios } from "#lib/engine/series/compare-scenarios";
import { summarize } from "#lib/engine/series/summary";
import { wireBounds } from "#lib/predictions/prediction-chart";
import { turnFor } from "#lib/scenarios/comparison/long-turns";
import { runComparison } from "#lib/scenarios/comparison/run-comparison";
import { type ChartWindow, chartOptions } from "#lib/scenarios/scenario-predictions";
import { whenAllEnded } from "#lib/turns/when-all-ended";
import { rememberedInputs } from "./cached-inputs.ts";
import { type Compared, comparedActuals, findCompared } from "./find-compared.ts";

type Differs = Comparison["differs"];

/**
 * Scenarios of a project side by side, against one of them, the first unless told otherwise.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed
 */
export async function compareScenarios(
  ctx: Context,
  {
    limit,
    offset = 0,
    ...asked
  }: Compared & ChartWindow & { limit?: number | undefined; offset?: number | undefined },
): Promise<Comparison> {
  const { rows, baseline } = await findCompared(ctx, asked);
  using _turn = await turnFor(rows, ctx.signal);
  const { stored, series, options, actuals } = await readCompared(ctx, rows, baseline, asked);
  const paged = limit === undefined ? options : { ...options, limit, offset };
  const request = { scenarios: series, baselineId: baseline, options: paged, actuals };
  const [inputs, { rowOf, bounds, ...compared }] = await whenAllEnded([
    rememberedInputs(rows, stored, baseline),
    withBounds(ctx, rows, runComparison(request, ctx.signal)),
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
    series: compared.series.map((one, index) => ({
      ...one,
      ...wireBounds(bounds[index]!, one.values.length),
    })),
    differs: {
      inputs,
      checkpoints: differingCheckpoints(rows),
      dependentCheckpoints: differingDependents(rows),
    },
  };
}

async function withBounds(
  { db }: Context,
  rows: readonly ScenarioRow[],
  comparison: Promise<ComparedScenarios>,
): Promise<ComparedScenarios & { bounds: Bounds[] }> {
  const compared = await comparison;
  const at = (index: number) => compared.rowOf[index]!;
  const bounds = await Promise.all(rows.map(({ scenario }, index) => boundsAt(db, scenario, at(index))));
  return { ...compared, bounds };
}

async function readCompared(
  ctx: Context,
  rows: readonly ScenarioRow[],
  baseline: string,
  { maxPoints, from, to }: ChartWindow,
) {
  const times: SharedTimes = new Map();
  const stored = await whenAllEnded(rows.map(({ scenario }) => cachedPoints(ctx.db, scenario, times)));
  const timed = stored.every(({ timestamps }) => timestamps !== null);
  const series = stored.map((one, index) => ({ scenarioId: rows[index]!.scenario.id, ...one }));
  const actuals = timed ? await comparedActuals(ctx, rows, baseline) : null;
  return { stored, series, options: chartOptions({ maxPoints, from, to }, timed), actuals };
}

type Used = { projectId: string | null; checkpointId: string; label: string; scenarioId: string };

/** Each checkpoint that is used with the scenarios that use it; empty where all use the same one. */
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

/** The same for each dependent project. */
function differingDependents(rows: readonly ScenarioRow[]): Differs["dependentCheckpoints"] {
  const used = rows.flatMap(({ scenario, pinned }) =>
    pinned.flatMap(({ projectId, checkpointId, label }): Used[] =>
      checkpointId === null ? [] : [{ projectId, checkpointId, label: label ?? "", scenarioId: scenario.id }],
    ),
  );
  return [...Map.groupBy(used, ({ projectId }) => projectId).values()].flatMap((ofProject) =>
    // A scenario that does not use the project at all differs from those that do.
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
