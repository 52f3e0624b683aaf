import type { Database } from "#db/client";
import { isRunName, runName } from "#lib/contract/run-names";
import type { Difference } from "#lib/contract/scenario-differences";
import { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { type ChartWindow, chartOptions } from "#lib/domain/scenarios/chart-window";
import { acquireSlot } from "#lib/domain/scenarios/chunks/long-series-slots";
import type { Rows } from "#lib/domain/scenarios/chunks/read-series";
import { findNamedRuns } from "#lib/domain/scenarios/find-named-runs";
import {
  findScenario,
  requireReady,
  type ScenarioRef,
  type ScenarioRow,
} from "#lib/domain/scenarios/find-scenario";
import { effectivePoints, withoutOverrides } from "#lib/domain/scenarios/panel/effective-series";
import type { GroupPage, SeriesChoice, SeriesQuery } from "#lib/domain/scenarios/panel/resolve-series";
import { chosenBy, readPanels } from "#lib/domain/scenarios/panel/shown-scenarios";
import { readInputNotes } from "#lib/domain/scenarios/run/scenario-input";
import { requireScenarioModels, type ScenarioModels } from "#lib/domain/scenarios/run/scenario-models";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import { settleAll } from "#lib/platform/concurrency/settle-all";
import type { Context } from "#lib/platform/context/context";
import { type DomainError, issueError } from "#lib/platform/errors/domain-error";
import { requireComparable } from "./compared-rows.ts";
import { differenceBetween } from "./difference-between.ts";
import { groupPoints, type PointGroups } from "./difference-groups.ts";
import { runDifferenceTask } from "./difference-tasks.ts";
import { type PanelPoints, panelPoints } from "./panel-points.ts";
import { readTotals } from "./read-totals.ts";
import type { StoredPair } from "./shared-points.ts";
import type { ScenarioSplit, SplitRequest } from "./split-scenarios.ts";

/**
 * Explains why a scenario's predictions differ from a baseline's: splits the difference, in total and at each point, into
 * parts. `run` chooses a run of the scenario, and `baselineId` can name a run, even of the same scenario. `asOf` chooses the run of
 * the scenario, and that of a baseline without a name of a run.
 *
 * With many series, rows are matched by series and time, and the points are sums of the chosen series at each time. `by` also
 * splits the difference by groups of them.
 *
 * @returns the difference, and the number of groups up to the end of the page if more follow
 * @throws {DomainError} scenario_not_found, run_not_found, scenario_not_ready, series_not_found, validation_failed;
 *   checkpoint_not_found if a checkpoint of an earlier run was deleted
 */
export async function explainDifference(
  ctx: Context,
  {
    projectId,
    scenarioId,
    run,
    asOf,
    baselineId,
    series,
    where,
    by,
    limit = GROUPS_DEFAULT,
    after = 0,
    ...window
  }: ScenarioRef & { baselineId: string } & ChartWindow & SeriesQuery & GroupPage,
): Promise<{ difference: Difference; next: number | null }> {
  const field = "baselineId";
  const scenario = await findScenario(ctx.db, { projectId, scenarioId, run, asOf });
  const wanted = { projectId, names: [baselineId], field, asOf: isRunName(baselineId) ? undefined : asOf };
  const baseline = (await findNamedRuns(ctx.db, wanted))[0]!;
  const { id, runId } = scenario.scenario;
  const ids = { scenarioId: run === undefined ? id : runName(id, runId), baselineId: baseline.name };
  if (ids.scenarioId === ids.baselineId) throw sameScenarioError(baselineId);
  requireReady([scenario]);
  requireReady([baseline], field);
  const both = [baseline, scenario] as const;
  requireComparable(both);
  using _slot = await acquireSlot(both, ctx.signal);
  // The causes explain what the models calculated. One more part holds what people changed.
  const { panels, choice } = await readPanels(ctx, both.map(withoutOverrides), { series, where, by });
  const stored = [panels[0]!.points, panels[1]!.points] as const;
  const many = panels.filter(({ panel }) => panel !== null);
  if (many.length === 1) throw mixedError(baselineId);
  const chosen = panels.map(chosenBy(choice));
  const panel = many.length === 0 ? null : panelPoints(chosen);
  const groups =
    panel === null || choice.by.length === 0
      ? null
      : groupPoints(
          chosen.map((one) => one.panel!),
          panel,
          choice.by,
        );
  const timed = stored.every(({ timestamps }) => timestamps !== null);
  const options = chartOptions(window, timed);
  const key = [...both.map(({ scenario }) => scenario.runId), ...chosenKey(choice)].join();
  const split = await cache.get(key, () => splitPair(ctx.db, { projectId, both, stored, panel }));
  const isOverridden = both.some((row) => row.scenario.overrides.length > 0);
  const effective = isOverridden ? await effectivePair(ctx, both) : null;
  const bytes = stored.reduce((sum, { prediction }) => sum + prediction.length, 0) * PRESENT_COST_PER_ROW;
  const grouped = groups && { groups, after, limit };
  const [totals, { spans, grouped: page, ...difference }] = await settleAll([
    readTotals(
      ctx.db,
      both.map(({ scenario }) => scenario.runId),
    ),
    runDifferenceTask("present", { stored, effective, panel, grouped, split, window: options }, { bytes }),
  ]);
  const side = (runId: string, rows: Rows | undefined) => ({
    totals: totals.get(runId),
    // The members of a model say nothing about a person's values.
    rows: (!isOverridden && rows) || null,
  });
  const explained: Difference = {
    ...ids,
    ...difference,
    ...differenceBetween(
      difference.totalDifference,
      side(scenario.scenario.runId, spans?.[1]),
      side(baseline.scenario.runId, spans?.[0]),
    ),
  };
  if (groups === null || page === null) return { difference: explained, next: null };
  const end = after + page.page.length;
  return {
    difference: { ...explained, groups: page.page.map((one) => named(one, groups, choice.by)) },
    next: end < page.count ? end : null,
  };
}

const GROUPS_DEFAULT = 50;

/** Names a group by the values of its columns. */
const named = <T extends { group: number }>(
  { group, ...rest }: T,
  { values, sizes }: PointGroups,
  by: readonly string[],
) => ({
  values: Object.fromEntries(by.map((column, at) => [column, values[group]![at]!])),
  seriesCount: sizes[group]!,
  ...rest,
});
async function effectivePair({ db }: Context, both: readonly ScenarioRow[]): Promise<StoredPair> {
  const [before, after] = await settleAll(both.map(({ scenario }) => effectivePoints(db, scenario)));
  return [before!, after!];
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

/** A scenario with many series and one with a single series have no rows in common. */
function mixedError(baselineId: string): DomainError {
  const message =
    "One of the two scenarios has many series and the other one has not, so they have no rows in common.";
  return issueError("validation_failed", {
    field: "baselineId",
    id: baselineId,
    code: "many_series",
    message,
  });
}

/** Recent splits. A run's predictions never change once they are stored, so zooming need not split them again. */
const cache = new LruCache<ScenarioSplit>(8);

/** Cost of presenting a row, in the bytes by which `taskRunner` chooses between this thread and a new one. */
const PRESENT_COST_PER_ROW = 1;

/** Cost of splitting a row with a few features, in the same unit. Small requests run without a thread. */
const SPLIT_COST_PER_ROW = 2_000;

type Pair = {
  projectId: string;
  both: readonly [ScenarioRow, ScenarioRow];
  stored: StoredPair;
  panel: PanelPoints | null;
};

/** Returns texts that identify a choice of series. */
const chosenKey = ({ series, where }: SeriesChoice): string[] =>
  series === null && where.length === 0 ? [] : [JSON.stringify([series && [...series].sort(), where])];

async function splitPair(db: Database, { projectId, both, stored, panel }: Pair): Promise<ScenarioSplit> {
  const [models, notes] = await Promise.all([
    Promise.all(both.map((row) => requireScenarioModels(db, row))),
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
    panel,
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
