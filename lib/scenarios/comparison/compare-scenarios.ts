import { findActuals } from "#lib/actuals/find-actuals";
import type { Context } from "#lib/context/context";
import type { Comparison } from "#lib/contract/scenario-series";
import { DomainError, type ErrorDetail } from "#lib/errors/domain-error";
import { boundsAt } from "#lib/predictions/bounds-at";
import { wireBounds } from "#lib/predictions/prediction-chart";
import type { Points, SharedTimes } from "#lib/predictions/read-predictions";
import { cachedBounds, cachedPoints } from "#lib/predictions/series-cache";
import { align } from "#lib/series/align";
import { changedInputs } from "#lib/series/changed-inputs";
import { compareScenarios as compareSeries } from "#lib/series/compare-scenarios";
import { summarize } from "#lib/series/summary";
import { findScenarios, requireReady } from "../find-scenario.ts";
import { readScenarioInput } from "../input/stored-input.ts";
import type { ScenarioRow } from "../queries.ts";
import { type ChartWindow, chartOptions } from "../scenario-predictions.ts";
import { comparisonCsv } from "./comparison-csv.ts";

type Differs = Comparison["differs"];

/**
 * Scenarios of a project side by side, against one of them, the first unless told otherwise.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed
 */
export async function compareScenarios(
  ctx: Context,
  {
    projectId,
    ids,
    baselineId,
    limit,
    offset = 0,
    ...window
  }: Compared & ChartWindow & { limit?: number | undefined; offset?: number | undefined },
): Promise<Comparison> {
  const { rows, stored, series, baseline, options, actualAt } = await readCompared(ctx, {
    projectId,
    ids,
    baselineId,
    ...window,
  });
  const paged = limit === undefined ? options : { ...options, limit, offset };
  const { rowOf, ...compared } = compareSeries(series, baseline, paged, actualAt);
  const [inputs, bounds] = await Promise.all([
    rememberedInputs(rows, stored, baseline),
    Promise.all(rows.map(({ scenario }, index) => boundsAt(ctx.db, scenario, rowOf[index]!))),
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

/**
 * Every point of a comparison as CSV, piece by piece: of each scenario the prediction, its interval and its difference
 * from the baseline, and what was where that is known.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed
 */
export async function downloadComparison(
  ctx: Context,
  asked: Compared & ChartWindow,
): Promise<{ title: string; pieces: Generator<string> }> {
  const { rows, series, baseline, options, actualAt } = await readCompared(ctx, asked);
  const bounds = await Promise.all(rows.map(({ scenario }) => cachedBounds(ctx.db, scenario)));
  const titled = series.map((one, index) => ({
    ...{ ...one, ...bounds[index]! },
    title: rows[index]!.scenario.title,
  }));
  const { title } = titled.find(({ scenarioId }) => scenarioId === baseline)!;
  return { title: `Comparison with ${title}`, pieces: comparisonCsv(titled, baseline, options, actualAt) };
}

type Compared = { projectId: string; ids: readonly string[]; baselineId?: string | undefined };

async function readCompared(ctx: Context, { projectId, ids, baselineId, ...window }: Compared & ChartWindow) {
  const rows = await findScenarios(ctx.db, { projectId, scenarioIds: ids, field: "ids" });
  const scenarioIds = rows.map(({ scenario }) => scenario.id);
  const baseline = (baselineId ?? scenarioIds[0]!).toLowerCase();
  checkIds(scenarioIds, baseline);
  requireReady(rows, "ids");
  const times: SharedTimes = new Map();
  const stored = await Promise.all(rows.map(({ scenario }) => cachedPoints(ctx.db, scenario, times)));
  const timed = stored.every(({ timestamps }) => timestamps !== null);
  const series = stored.map((one, index) => ({ scenarioId: scenarioIds[index]!, ...one }));
  const { scenario } = rows[scenarioIds.indexOf(baseline)]!;
  const first = Math.min(...rows.map((row) => row.scenario.firstTimestamp?.getTime() ?? Number.NaN));
  const actualAt = timed ? await findActuals(ctx, scenario, first) : null;
  return { rows, stored, series, baseline, options: chartOptions(window, timed), actualAt };
}

function checkIds(ids: readonly string[], baseline: string): void {
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) < index));
  const details: ErrorDetail[] = [...twice].map((id) => ({
    ...{ field: "ids", id, code: "repeated", message: `\`ids\` names the scenario ${id} more than once.` },
  }));
  if (!ids.includes(baseline)) {
    const message = "`baselineId` must be one of `ids`.";
    details.push({ field: "baselineId", id: baseline, code: "not_in_ids", message });
  }
  if (details[0] !== undefined) throw new DomainError("validation_failed", details[0].message, { details });
}

/** What differed the last times. Inputs never change once a scenario is made: zooming need not read them again. */
const remembered = new Map<string, Promise<Differs["inputs"]>>();
const REMEMBERED_MAX = 50;

async function rememberedInputs(
  rows: readonly ScenarioRow[],
  stored: readonly Points[],
  baseline: string,
): Promise<Differs["inputs"]> {
  const key = [baseline, ...rows.map(({ scenario }) => `${scenario.id} ${scenario.jobId}`)].join();
  const found = remembered.get(key) ?? differingInputs(rows, stored, baseline);
  remembered.delete(key);
  remembered.set(key, found);
  if (remembered.size > REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!);
  try {
    return await found;
  } catch (error) {
    remembered.delete(key);
    throw error;
  }
}

async function differingInputs(
  rows: readonly ScenarioRow[],
  stored: readonly Points[],
  baseline: string,
): Promise<Differs["inputs"]> {
  const inputs = await Promise.all(rows.map(({ scenario }) => readScenarioInput(scenario.inputKey!)));
  const alignment = align(
    stored.map(({ prediction, timestamps }) => ({ rowCount: prediction.length, timestamps })),
  );
  const times = inputs.flatMap(({ table }) =>
    table.columns.filter(({ type }) => type === "timestamp").map(({ name }) => name),
  );
  const scenarios = rows.map(({ scenario }, index) => ({
    scenarioId: scenario.id,
    table: inputs[index]!.table,
  }));
  // Aligned by time, the times themselves are equal wherever both have a row.
  return changedInputs(scenarios, baseline, alignment, alignment.timestamps === null ? [] : times);
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
