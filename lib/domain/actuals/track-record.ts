import { setImmediate } from "node:timers/promises";
import type { TrackRecord } from "#lib/contract/track-record";
import { currentDataset } from "#lib/domain/datasets/current-dataset";
import { seriesFacts } from "#lib/domain/models/linked/known-rows";
import { openModel } from "#lib/domain/models/open-model";
import { servingModel } from "#lib/domain/models/serving-model";
import { findScenario } from "#lib/domain/scenarios/find-scenario";
import { cacheRuns } from "#lib/domain/scenarios/panel/effective-series";
import { CHART_POINTS } from "#lib/engine/series/downsample";
import type { Context } from "#lib/platform/context/context";
import { runActualsTask } from "./actuals-tasks.ts";
import type { ServedRows } from "./compare-rows.ts";
import { noChartPoints } from "./measure.ts";
import { naiveModelName, naiveOf } from "./naive-of.ts";
import { formatInstant } from "./periods.ts";
import { readServed } from "./read-served.ts";
import { servedRuns } from "./served-runs.ts";
import { lastKnownTarget, panelTargetRows, targetRows } from "./target-rows.ts";

/** Cost of a row, in the bytes by which `taskRunner` chooses between this thread and a new one. */
const COST_PER_ROW = 16;

/**
 * Measures the errors of what a project's runs predicted before the actual values arrived, beside the naive forecast of the same rows
 * from the values that each run knew. Of many series: of their totals, without a naive forecast.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function trackRecord(
  ctx: Context,
  {
    projectId,
    scenarioId,
    maxPoints = CHART_POINTS,
  }: { projectId: string; scenarioId?: string | undefined; maxPoints?: number | undefined },
): Promise<TrackRecord> {
  const { db, signal } = ctx;
  const scenario =
    scenarioId === undefined ? null : await findScenario(db, { projectId, scenarioId, field: "scenarioId" });
  const [serving, dataset] = await Promise.all([servingModel(db, projectId), currentDataset(db, projectId)]);
  if (serving === null) return emptyRecord("The project has no model, so it has predicted nothing.");
  const model = await openModel(serving.artifactKey, serving.sha256);
  const { target, classes, series } = model.state;
  const last = await lastKnownTarget(dataset, { target, classes });
  const facts = seriesFacts(model, dataset);
  const nothing = (reason: string): TrackRecord => ({
    ...emptyRecord(reason),
    target,
    isTotal: series != null,
    knownUntil: last === null ? null : new Date(last).toISOString(),
    timezone: facts?.timezone ?? "UTC",
  });
  if (facts === null)
    return nothing("The data has no timestamps, so predictions cannot be matched with actuals.");
  const { timestamp, grid } = facts;
  if (grid === null) return nothing("The times have no regular step, so steps ahead cannot be counted.");
  if (dataset === null || last === null)
    return nothing(`The project's dataset has no values of "${target}" by time.`);
  const {
    runs,
    omitted,
    facts: overrideFacts,
  } = await servedRuns(db, {
    projectId,
    scenarioId: scenario?.scenario.id,
    target,
    knownUntil: last,
  });
  const positions = new Map([...overrideFacts.keys()].map((id, position) => [id, position]));
  const labels = new Map(runs.map(({ row }) => [row.scenario.checkpointId, row.checkpointLabel ?? ""]));
  const placeOf = new Map([...labels.keys()].map((id, position) => [id, position]));
  await cacheRuns(
    db,
    runs.map(({ row }) => row.scenario),
  );
  const served: ServedRows[] = [];
  for (const run of runs.toReversed()) {
    signal?.throwIfAborted();
    // Reads of cached runs do not wait, so other requests would wait for all of them.
    await setImmediate();
    const rows = await readServed(ctx, run, { last, positions, series: series?.columns ?? null });
    if (rows !== null) served.push({ ...rows, checkpoint: placeOf.get(run.row.scenario.checkpointId)! });
  }
  const since = served.reduce((first, { knownUntil }) => Math.min(first, knownUntil), last);
  const wanted = { timestamp, target, classes };
  const known = series
    ? await panelTargetRows(dataset, wanted, { since, series: series.columns })
    : await targetRows(dataset, wanted);
  if (known === null)
    return nothing(
      `The project's dataset no longer has the target "${target}" and the timestamp "${timestamp}".`,
    );
  const naive = series ? null : naiveOf(model);
  const rowsOf = ({ times, panel }: ServedRows) => panel?.panel.ofRow.length ?? times.length;
  const rowCount = served.reduce((sum, run) => sum + rowsOf(run), known.rowCount);
  const request = {
    runs: served,
    known,
    timestamp,
    target,
    grid,
    naive,
    maxPoints,
    areClasses: classes !== undefined,
    checkpoints: [...labels.values()],
    overrides: [...overrideFacts.values()],
  };
  const scored =
    served.length === 0
      ? null
      : await runActualsTask("track", request, { bytes: rowCount * COST_PER_ROW, signal });
  if (scored === null) return { ...nothing(nothingYet(last)), omittedRuns: omitted };
  return {
    ...nothing(""),
    reason: null,
    baselineName: series ? null : naiveModelName(naive, classes),
    omittedRuns: omitted,
    ...scored,
  };
}

const nothingYet = (last: number) =>
  `No actual value has arrived yet for a time that a run predicted: the latest one is of ${formatInstant(last)}. Scenarios based on others do not count.`;

function emptyRecord(reason: string): TrackRecord {
  return {
    target: null,
    knownUntil: null,
    isTotal: false,
    runs: 0,
    omittedRuns: 0,
    reason,
    baselineName: null,
    errors: null,
    horizons: [],
    period: "month",
    timezone: "UTC",
    periods: [],
    newestCheckpoint: null,
    checkpoints: [],
    overrides: null,
    ...noChartPoints(),
  };
}
