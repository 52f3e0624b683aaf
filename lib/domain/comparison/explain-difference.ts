import type { Database } from "#db/client";
import type { Difference } from "#lib/contract/scenario-differences";
import { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { type ChartWindow, chartOptions } from "#lib/domain/scenarios/chart-window";
import { acquireSlot } from "#lib/domain/scenarios/chunks/long-series-slots";
import type { SharedTimes } from "#lib/domain/scenarios/chunks/read-predictions";
import type { Rows } from "#lib/domain/scenarios/chunks/read-series";
import { cachedPoints } from "#lib/domain/scenarios/chunks/series-cache";
import { findScenario, requireReady, type ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { panelColumns } from "#lib/domain/scenarios/panel/cached-panel";
import { readInputNotes } from "#lib/domain/scenarios/run/scenario-input";
import { requireScenarioModels, type ScenarioModels } from "#lib/domain/scenarios/run/scenario-models";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import { settleAll } from "#lib/platform/concurrency/settle-all";
import type { Context } from "#lib/platform/context/context";
import { type DomainError, issueError } from "#lib/platform/errors/domain-error";
import { requireComparable } from "./compared-rows.ts";
import { differenceBetween } from "./difference-between.ts";
import { runDifferenceTask } from "./difference-tasks.ts";
import { readTotals } from "./read-totals.ts";
import type { StoredPair } from "./shared-points.ts";
import type { ScenarioSplit, SplitRequest } from "./split-scenarios.ts";

/**
 * Explains why a scenario's predictions differ from a baseline's: splits the difference, in total and at each point, into
 * parts.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed
 */
export async function explainDifference(
  ctx: Context,
  {
    projectId,
    scenarioId,
    baselineId,
    ...window
  }: { projectId: string; scenarioId: string; baselineId: string } & ChartWindow,
): Promise<Difference> {
  const field = "baselineId";
  const scenario = await findScenario(ctx.db, { projectId, scenarioId });
  const baseline = await findScenario(ctx.db, { projectId, scenarioId: baselineId, field });
  if (baseline.scenario.id === scenario.scenario.id) throw sameScenarioError(baselineId);
  requireReady([scenario]);
  requireReady([baseline], field);
  const both = [baseline, scenario] as const;
  for (const one of both) if ((await panelColumns(one.scenario)) !== null) throw manySeriesError();
  requireComparable(both);
  using _slot = await acquireSlot(both, ctx.signal);
  const times: SharedTimes = new Map();
  const stored = await settleAll([
    cachedPoints(ctx.db, baseline.scenario, times),
    cachedPoints(ctx.db, scenario.scenario, times),
  ]);
  const timed = stored.every(({ timestamps }) => timestamps !== null);
  const options = chartOptions(window, timed);
  const key = both.map(({ scenario }) => `${scenario.id} ${scenario.jobId}`).join();
  const split = await cache.get(key, () => splitPair(ctx.db, { projectId, both, stored }));
  const bytes = stored.reduce((sum, { prediction }) => sum + prediction.length, 0) * PRESENT_COST_PER_ROW;
  const ids = { scenarioId: scenario.scenario.id, baselineId: baseline.scenario.id };
  const [totals, { spans, ...difference }] = await settleAll([
    readTotals(ctx.db, Object.values(ids)),
    runDifferenceTask("present", { stored, split, window: options }, { bytes }),
  ]);
  const side = (id: string, rows: Rows | undefined) => ({ totals: totals.get(id), rows: rows ?? null });
  return {
    ...ids,
    ...difference,
    ...differenceBetween(
      difference.totalDifference,
      side(ids.scenarioId, spans?.[1]),
      side(ids.baselineId, spans?.[0]),
    ),
  };
}

function sameScenarioError(baselineId: string): DomainError {
  const message = "`baselineId` must differ from the scenario that is compared with the baseline.";
  return issueError("validation_failed", {
    field: "baselineId",
    id: baselineId,
    code: "same_scenario",
    message,
  });
}

function manySeriesError(): DomainError {
  const message =
    "The difference of scenarios with many series is not split by its causes yet. Compare them with `by` to split it by series.";
  return issueError("validation_failed", { code: "many_series", message });
}

/** Recent splits. A scenario's predictions never change once they are stored, so zooming need not split them again. */
const cache = new LruCache<ScenarioSplit>(8);

/** Cost of presenting a row, in the bytes by which `taskRunner` chooses between this thread and a new one. */
const PRESENT_COST_PER_ROW = 1;

/** Cost of splitting a row with a few features, in the same unit. Small requests run without a thread. */
const SPLIT_COST_PER_ROW = 2_000;

type Pair = {
  projectId: string;
  both: readonly [ScenarioRow, ScenarioRow];
  stored: StoredPair;
};

async function splitPair(db: Database, { projectId, both, stored }: Pair): Promise<ScenarioSplit> {
  const [models, notes] = await Promise.all([
    Promise.all(both.map(({ scenario }) => requireScenarioModels(db, scenario))),
    Promise.all(both.map(({ scenario }) => readInputNotes(scenario.inputKey!))),
  ]);
  const rowsBuildOnEachOther = models.some((model) => model.rowsBuildOnEachOther);
  const readsTarget = models.some((model) => model.readsTarget);
  const untils = notes.map(({ knownUntil }) => knownUntil);
  const histories = await Promise.all(
    models.map(({ folders: own }) =>
      Promise.all(
        models.map(({ folders }, side) => {
          if (!readsTarget) return undefined;
          // The model of one side, with the upstream checkpoints and known rows of either side.
          const series = new LinkedSeries(
            db,
            new Map([...own, ...folders, [projectId, own.get(projectId)!]]),
          );
          return series.historyUntil(projectId, untils[side]!);
        }),
      ),
    ),
  );
  const request: SplitRequest = {
    artifactKeys: [models[0]!.folders.get(projectId)!, models[1]!.folders.get(projectId)!],
    inputKeys: [both[0].scenario.inputKey!, both[1].scenario.inputKey!],
    stored,
    rowsBuildOnEachOther,
    readsTarget,
    histories,
    historyDiffers: untils[0] !== untils[1] || pinnedCheckpointsDiffer(models[0]!, models[1]!, projectId),
  };
  const rowCount = Math.max(...stored.map(({ prediction }) => prediction.length));
  return runDifferenceTask("split", request, { bytes: rowCount * SPLIT_COST_PER_ROW });
}

/** Returns whether the two scenarios use different upstream checkpoints for the known rows. */
function pinnedCheckpointsDiffer(a: ScenarioModels, b: ScenarioModels, projectId: string): boolean {
  return [...a.folders].some(([id, folder]) => id !== projectId && b.folders.get(id) !== folder);
}
