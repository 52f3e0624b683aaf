import type { ScenarioActuals } from "#lib/contract/actuals";
import { findCheckpoint } from "#lib/domain/checkpoints/find-checkpoint";
import { currentDataset } from "#lib/domain/datasets/current-dataset";
import { seriesFacts } from "#lib/domain/models/linked/known-rows";
import { openModel } from "#lib/domain/models/open-model";
import { type AtLevels, type ChartWindow, chartOptions } from "#lib/domain/scenarios/chart-window";
import { acquireSlot } from "#lib/domain/scenarios/chunks/long-series-slots";
import { findReadyScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { readEffectiveBounds } from "#lib/domain/scenarios/panel/effective-series";
import type { GroupPage, SeriesQuery } from "#lib/domain/scenarios/panel/resolve-series";
import { boundsOfShown, readShown, type ShownScenario } from "#lib/domain/scenarios/panel/shown-scenarios";
import { readInputNotes } from "#lib/domain/scenarios/run/scenario-input";
import { wireBounds, wireLevels } from "#lib/engine/intervals/point-bounds";
import { CHART_POINTS } from "#lib/engine/series/downsample";
import { selectColumns } from "#lib/engine/table/columns";
import type { Context } from "#lib/platform/context/context";
import { stepOf } from "./actuals-of.ts";
import { runActualsTask } from "./actuals-tasks.ts";
import { judgeGroups } from "./judge-groups.ts";
import { learnedUntil } from "./judge-model.ts";
import { type JudgedScenario, type JudgeScenario, rowsWithActuals } from "./judge-scenario.ts";
import { noChartPoints } from "./measure.ts";
import { naiveModelName, naiveOf } from "./naive-of.ts";
import { formatInstant } from "./periods.ts";
import { sumActuals } from "./sum-actuals.ts";
import { lastKnownTarget, panelTargetRows, targetRows } from "./target-rows.ts";

type JudgedActuals = Omit<JudgedScenario, "rowOf"> & Pick<ScenarioActuals, "lower" | "upper" | "levels">;

/**
 * Cost of a row, in the bytes by which `taskRunner` chooses between this thread and a new one. Comparing two million rows
 * takes as long as starting a thread.
 */
const COST_PER_ROW = 1 / 4;

/**
 * Compares a scenario with the actuals: its errors over the rows with actuals in the project's dataset, beside the naive
 * forecast from the rows known when the scenario was created. With many series: the errors of their sums, without a naive
 * forecast, also by groups of them.
 *
 * @returns the comparison, and the number of groups up to the end of the page if more follow
 * @throws {DomainError} scenario_not_found, scenario_not_ready, series_not_found, validation_failed for an invalid `from`, `to`
 *   or choice of series
 */
export async function scenarioActuals(
  ctx: Context,
  {
    projectId,
    scenarioId,
    levels,
    series,
    where,
    by,
    limit,
    after,
    run,
    asOf,
    ...window
  }: ScenarioRef & AtLevels & ChartWindow & SeriesQuery & GroupPage,
): Promise<{ actuals: ScenarioActuals; next: number | null }> {
  const row = await findReadyScenario(ctx, { projectId, scenarioId, run, asOf });
  const { scenario } = row;
  const options = chartOptions(window, scenario.firstTimestamp !== null);
  const [checkpoint, dataset] = await Promise.all([
    findCheckpoint(ctx.db, { projectId, checkpointId: scenario.checkpointId! }),
    currentDataset(ctx.db, projectId),
  ]);
  const model = await openModel(checkpoint.artifactKey, checkpoint.sha256);
  const { target, classes } = model.state;
  const last = await lastKnownTarget(dataset, { target, classes });
  const empty = (reason: string): ScenarioActuals => ({
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
  const nothing = (reason: string) => ({ actuals: empty(reason), next: null });
  const facts = seriesFacts(model, dataset);
  if (facts === null || scenario.firstTimestamp === null)
    return nothing("The scenario has no timestamps, so it cannot be matched with actuals.");
  if (dataset === null) return nothing("The project has no dataset, so no actuals are known.");
  const { timestamp, grid } = facts;
  const {
    shown: [shown],
    choice,
  } = await readShown(ctx, [row], { series, where, by });
  const since = scenario.firstTimestamp.getTime();
  const isKnown = last !== null && stepOf(grid)(last) >= stepOf(grid)(since);
  if (shown!.panel !== null) {
    const wanted = { timestamp, target, classes };
    const { columns, keys } = shown!.panel.panel;
    const of = { since, series: columns.slice(0, keys) };
    const known = isKnown ? await panelTargetRows(dataset, wanted, of) : null;
    const judgeSums = async (one: ShownScenario) => {
      const sums = known && sumActuals(known, wanted, { grid, panel: one.panel! });
      return (
        sums &&
        judge(ctx, one, {
          known: sums,
          kept: null,
          keptUntil: null,
          learnedUntil: learnedUntil(model),
          naive: null,
          areClasses: false,
          window: { ...options, maxPoints: options.maxPoints ?? CHART_POINTS },
          levels,
        })
      );
    };
    const judged = await judgeSums(shown!);
    const total = judged === null ? empty(nothingYet(last)) : { ...empty(""), reason: null, ...judged };
    if (choice.by.length === 0) return { actuals: total, next: null };
    const { groups, next } = await judgeGroups(shown!, choice.by, { limit, after }, judgeSums);
    return { actuals: { ...total, groups }, next };
  }
  const known = await targetRows(dataset, { timestamp, target, classes });
  if (known === null)
    return nothing(
      `The project's dataset no longer has the target "${target}" and the timestamp "${timestamp}".`,
    );
  const naive = naiveOf(model);
  const judged = isKnown
    ? await judge(ctx, shown!, {
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
  if (judged === null) return nothing(nothingYet(last));
  return {
    actuals: { ...empty(""), reason: null, baselineName: naiveModelName(naive, classes), ...judged },
    next: null,
  };
}

function nothingYet(last: number | null): string {
  const until = last === null ? "" : `: the latest actual value is of ${formatInstant(last)}`;
  return `No actuals have arrived for these rows yet${until}.`;
}

/** Compares predictions with actuals. Long scenarios wait for a slot and are processed in a worker thread. */
async function judge(
  ctx: Context,
  shown: ShownScenario,
  {
    levels,
    ...options
  }: Omit<JudgeScenario, "points" | "bounds" | "knownUntil"> & { levels: readonly number[] | undefined },
): Promise<JudgedActuals | null> {
  const { db, signal } = ctx;
  const { row, points, panel } = shown;
  const { scenario } = row;
  using _slot = await acquireSlot([row], signal);
  const { knownUntil } = await readInputNotes(scenario.inputKey!);
  const { timestamps, prediction } = points;
  if (timestamps === null) return null;
  const { start: from, end: to } = rowsWithActuals(timestamps, options.known, options.window);
  if (from === to) return null;
  const boundsAt = boundsOfShown(ctx, shown);
  const places = () => boundsAt(Int32Array.from({ length: to - from }, (_, at) => from + at));
  const ofRows = () => readEffectiveBounds(db, scenario, { from, to });
  const bounds = { from, ...(await (panel === null ? ofRows() : places())) };
  const request = { ...options, points: { timestamps, prediction }, bounds, knownUntil };
  const judged = await runActualsTask("judge", request, { bytes: prediction.length * COST_PER_ROW, signal });
  if (judged === null) return null;
  const { rowOf, ...rest } = judged;
  const chart = await boundsAt(rowOf);
  const predicted = Float64Array.from(rest.predicted, (value) => value ?? Number.NaN);
  return {
    ...rest,
    ...wireBounds(chart, rowOf.length),
    ...wireLevels(chart, predicted, { levels, shape: scenario.intervals }),
  };
}
