import type { Database } from "#db/client";
import type { Context } from "#lib/context/context";
import type { Difference } from "#lib/contract/scenario-differences";
import { findScenario, requireReady } from "#lib/domain/scenarios/find-scenario";
import type { SharedTimes } from "#lib/domain/scenarios/predictions/read-predictions";
import { cachedPoints } from "#lib/domain/scenarios/predictions/series-cache";
import type { ScenarioRow } from "#lib/domain/scenarios/queries";
import { PinnedSeries } from "#lib/domain/scenarios/run/pinned-series";
import { readInputNotes } from "#lib/domain/scenarios/run/scenario-input";
import { type ScenarioModels, scenarioModels } from "#lib/domain/scenarios/run/scenario-models";
import { Remembered } from "#lib/platform/concurrency/lru-cache";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { turnFor } from "#lib/scenarios/comparison/long-turns";
import { runInputTask } from "#lib/scenarios/input/run-input-task";
import { type ChartWindow, chartOptions } from "#lib/scenarios/scenario-predictions";
import { whenAllEnded } from "#lib/turns/when-all-ended";
import { requireComparable } from "./compared-rows.ts";
import type { StoredPair } from "./shared-points.ts";
import type { ScenarioSplit, SplitRequest } from "./split-scenarios.ts";

/**
 * Why a scenario predicts other values than another one: the difference, in total and at each point, in parts.
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
  if (baseline.scenario.id === scenario.scenario.id) throw sameScenario(baselineId);
  requireReady([scenario]);
  requireReady([baseline], field);
  const both = [baseline, scenario] as const;
  requireComparable(both);
  using _turn = await turnFor(both, ctx.signal);
  const times: SharedTimes = new Map();
  const stored = await whenAllEnded([
    cachedPoints(ctx.db, baseline.scenario, times),
    cachedPoints(ctx.db, scenario.scenario, times),
  ]);
  const timed = stored.every(({ timestamps }) => timestamps !== null);
  const asked = chartOptions(window, timed);
  const key = both.map(({ scenario }) => `${scenario.id} ${scenario.jobId}`).join();
  const split = await remembered.get(key, () => splitPair(ctx.db, { projectId, both, stored }));
  const bytes = stored.reduce((sum, { prediction }) => sum + prediction.length, 0) * PRESENTED_BYTES_PER_ROW;
  return {
    scenarioId: scenario.scenario.id,
    baselineId: baseline.scenario.id,
    ...(await runInputTask("present", { stored, split, window: asked }, { bytes })),
  };
}

function sameScenario(baselineId: string): DomainError {
  const message = "`baselineId` must be another scenario than the one that is compared with it.";
  return new DomainError("validation_failed", message, {
    details: [{ field: "baselineId", id: baselineId, code: "same_scenario", message }],
  });
}

/** The last splits. Predictions never change once they are made: zooming need not split them again. */
const remembered = new Remembered<ScenarioSplit>(8);

/** Rows are looked at a few times each; half a million of them in the time that a thread takes to start. */
const PRESENTED_BYTES_PER_ROW = 1;

/** Evaluations of a few features that are done without a thread, weighed as bytes of a file are. */
const BYTES_PER_ROW = 2_000;

type Pair = {
  projectId: string;
  both: readonly [ScenarioRow, ScenarioRow];
  stored: StoredPair;
};

async function splitPair(db: Database, { projectId, both, stored }: Pair): Promise<ScenarioSplit> {
  const [models, notes] = await Promise.all([
    Promise.all(both.map((row) => modelsOf(db, row))),
    Promise.all(both.map(({ scenario }) => readInputNotes(scenario.inputKey!))),
  ]);
  const together = models.some(({ buildOnEachOther }) => buildOnEachOther);
  const untils = notes.map(({ knownUntil }) => knownUntil);
  const histories = await Promise.all(
    models.map(({ folders: own }) =>
      Promise.all(
        models.map(({ folders }, side) => {
          if (!together) return undefined;
          const pinned = new PinnedSeries(
            db,
            new Map([...own, ...folders, [projectId, own.get(projectId)!]]),
          );
          return pinned.historyUntil(projectId, untils[side]!);
        }),
      ),
    ),
  );
  const request: SplitRequest = {
    artifactKeys: [models[0]!.folders.get(projectId)!, models[1]!.folders.get(projectId)!],
    inputKeys: [both[0].scenario.inputKey!, both[1].scenario.inputKey!],
    stored,
    together,
    histories,
    historyDiffers: untils[0] !== untils[1] || otherPins(models[0]!, models[1]!, projectId),
  };
  const rowCount = Math.max(...stored.map(({ prediction }) => prediction.length));
  return runInputTask("split", request, { bytes: rowCount * BYTES_PER_ROW });
}

async function modelsOf(db: Database, { scenario }: ScenarioRow): Promise<ScenarioModels> {
  const models = await scenarioModels(db, scenario);
  // It was there a moment ago: a checkpoint goes only after its scenarios.
  if (models === null) throw standardError("scenario_not_found");
  return models;
}

/** Whether other checkpoints of dependent projects say what is known of the series. */
function otherPins(a: ScenarioModels, b: ScenarioModels, projectId: string): boolean {
  return [...a.folders].some(([id, folder]) => id !== projectId && b.folders.get(id) !== folder);
}
