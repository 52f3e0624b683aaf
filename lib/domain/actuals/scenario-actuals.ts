import type { ScenarioActuals } from "#lib/contract/actuals";
import { findCheckpoint } from "#lib/domain/checkpoints/find-checkpoint";
import { currentDataset } from "#lib/domain/datasets/current-dataset";
import { seriesFacts } from "#lib/domain/models/linked/known-rows";
import { openModel } from "#lib/domain/models/open-model";
import { type AtLevels, type ChartWindow, chartOptions } from "#lib/domain/scenarios/chart-window";
import { boundsAt } from "#lib/domain/scenarios/chunks/bounds-at";
import { acquireSlot } from "#lib/domain/scenarios/chunks/long-series-slots";
import { readBounds } from "#lib/domain/scenarios/chunks/read-predictions";
import { cachedPoints } from "#lib/domain/scenarios/chunks/series-cache";
import { findReadyScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { readInputNotes } from "#lib/domain/scenarios/run/scenario-input";
import { wireBounds, wireLevels } from "#lib/engine/intervals/point-bounds";
import { CHART_POINTS } from "#lib/engine/series/downsample";
import { selectColumns } from "#lib/engine/table/columns";
import { settleAll } from "#lib/platform/concurrency/settle-all";
import type { Context } from "#lib/platform/context/context";
import { stepOf } from "./actuals-of.ts";
import { runActualsTask } from "./actuals-tasks.ts";
import { learnedUntil } from "./judge-model.ts";
import { type JudgedScenario, type JudgeScenario, rowsWithActuals } from "./judge-scenario.ts";
import { noChartPoints } from "./measure.ts";
import { naiveModelName, naiveOf } from "./naive-of.ts";
import { formatInstant } from "./periods.ts";
import { lastKnownTarget, targetRows } from "./target-rows.ts";

type JudgedActuals = Omit<JudgedScenario, "rowOf"> & Pick<ScenarioActuals, "lower" | "upper" | "levels">;

/**
 * Cost of a row, in the bytes by which `taskRunner` chooses between this thread and a new one. Comparing two million rows
 * takes as long as starting a thread.
 */
const COST_PER_ROW = 1 / 4;

/**
 * Compares a scenario with the actuals: its errors over the rows with actuals in the project's dataset, beside the naive
 * forecast from the rows known when the scenario was created.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed for an invalid `from` or `to`
 */
export async function scenarioActuals(
  ctx: Context,
  { projectId, scenarioId, levels, ...window }: ScenarioRef & AtLevels & ChartWindow,
): Promise<ScenarioActuals> {
  const row = await findReadyScenario(ctx, { projectId, scenarioId });
  const { scenario } = row;
  const options = chartOptions(window, scenario.firstTimestamp !== null);
  const [checkpoint, dataset] = await Promise.all([
    findCheckpoint(ctx.db, { projectId, checkpointId: scenario.checkpointId! }),
    currentDataset(ctx.db, projectId),
  ]);
  const model = await openModel(checkpoint.artifactKey, checkpoint.sha256);
  const { target, classes } = model.state;
  const last = await lastKnownTarget(dataset, { target, classes });
  const nothing = (reason: string): ScenarioActuals => ({
    scenarioId: scenario.id,
    target,
    rowCount: scenario.rowCount ?? 0,
    learnedRows: 0,
    reason,
    knownUntil: last === null ? null : new Date(last).toISOString(),
    baselineName: null,
    errors: null,
    ...noChartPoints(),
  });
  const facts = seriesFacts(model, dataset);
  if (facts === null || scenario.firstTimestamp === null)
    return nothing("The scenario has no timestamps, so it cannot be matched with actuals.");
  if (dataset === null) return nothing("The project has no dataset, so no actuals are known.");
  const { timestamp, grid } = facts;
  const known = await targetRows(dataset, { timestamp, target, classes });
  if (known === null)
    return nothing(
      `The project's dataset no longer has the target "${target}" and the timestamp "${timestamp}".`,
    );
  const step = stepOf(grid);
  // Most scenarios begin after the last known row. Then their predictions need not be read.
  const mayBeKnown = last !== null && step(last) >= step(scenario.firstTimestamp.getTime());
  const naive = naiveOf(model);
  const judged = mayBeKnown
    ? await judge(ctx, row, {
        known: { known, timestamp, target, grid },
        kept: model.history && selectColumns(model.history, [timestamp, target]),
        keptUntil: model.state.lastTimestamp,
        learnedUntil: learnedUntil(model),
        naive,
        areClasses: classes !== undefined,
        window: { ...options, maxPoints: options.maxPoints ?? CHART_POINTS },
        levels,
      })
    : null;
  if (judged === null) {
    const until = last === null ? "" : `: the latest actual value is of ${formatInstant(last)}`;
    return nothing(`No actuals have arrived for these rows yet${until}.`);
  }
  return { ...nothing(""), reason: null, baselineName: naiveModelName(naive, classes), ...judged };
}

/** Compares predictions with actuals. Long scenarios wait for a slot and are processed in a worker thread. */
async function judge(
  { db, signal }: Context,
  row: Awaited<ReturnType<typeof findReadyScenario>>,
  {
    levels,
    ...options
  }: Omit<JudgeScenario, "points" | "bounds" | "knownUntil"> & { levels: readonly number[] | undefined },
): Promise<JudgedActuals | null> {
  const { scenario } = row;
  using _slot = await acquireSlot([row], signal);
  const [{ knownUntil }, { timestamps, prediction }] = await settleAll([
    readInputNotes(scenario.inputKey!),
    cachedPoints(db, scenario),
  ]);
  if (timestamps === null) return null;
  const { start: from, end: to } = rowsWithActuals(timestamps, options.known, options.window);
  if (from === to) return null;
  const bounds = { from, ...(await readBounds(db, scenario.id, { from, to })) };
  const request = { ...options, points: { timestamps, prediction }, bounds, knownUntil };
  const judged = await runActualsTask("judge", request, { bytes: prediction.length * COST_PER_ROW, signal });
  if (judged === null) return null;
  const { rowOf, ...rest } = judged;
  const shown = await boundsAt(db, scenario, rowOf);
  return {
    ...rest,
    ...wireBounds(shown, rowOf.length),
    ...wireLevels(shown, rest.predicted, { levels, shape: scenario.intervals }),
  };
}
