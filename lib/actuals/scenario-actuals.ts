import { findCheckpoint } from "#lib/checkpoints/find-checkpoint";
import type { Context } from "#lib/context/context";
import type { ScenarioActuals } from "#lib/contract/actuals";
import type { Table } from "#lib/contract/table";
import { currentDataset } from "#lib/datasets/current-dataset";
import { numericValues, selectColumns } from "#lib/ml/table/columns";
import { concatTables } from "#lib/ml/table/concat";
import { takeRows } from "#lib/ml/table/rows";
import { type OpenModel, openModel } from "#lib/models/open-model";
import type { StoredSeries } from "#lib/predictions/read-predictions";
import { cachedPredictions } from "#lib/predictions/series-cache";
import { readInputNotes } from "#lib/scenarios/input/scenario-input";
import { type SeriesFacts, seriesFacts } from "#lib/scenarios/models/known-rows";
import { type ChartWindow, chartOptions, findReadyScenario } from "#lib/scenarios/scenario-predictions";
import { rowsBetween } from "#lib/series/window";
import { actualsOf } from "./actuals-of.ts";
import { learnedUntil } from "./learned-until.ts";
import { drawn, type Judged, measure, nothingDrawn } from "./measure.ts";
import { naiveOf } from "./naive-of.ts";
import { targetRows } from "./target-rows.ts";
import { tellTime } from "./tell-time.ts";

const POINTS_DEFAULT = 1_000;

/**
 * A scenario against what has come true since: its error over the rows whose actual value the project's dataset knows,
 * beside the naive forecast that was possible when the scenario was made.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed for an end that is none
 */
export async function scenarioActuals(
  ctx: Context,
  { projectId, scenarioId, ...window }: { projectId: string; scenarioId: string } & ChartWindow,
): Promise<ScenarioActuals> {
  const { scenario } = await findReadyScenario(ctx, { projectId, scenarioId });
  const options = chartOptions(window, scenario.firstTimestamp !== null);
  const [checkpoint, dataset, series] = await Promise.all([
    findCheckpoint(ctx.db, { projectId, checkpointId: scenario.checkpointId! }),
    currentDataset(ctx.db, projectId),
    cachedPredictions(ctx.db, scenario),
  ]);
  const model = await openModel(checkpoint.artifactKey, checkpoint.sha256);
  const { target } = model.state;
  const nothing = (reason: string): ScenarioActuals => ({
    ...{ scenarioId: scenario.id, target, rowCount: scenario.rowCount ?? 0, learnedRows: 0, reason },
    knownUntil: dataset?.lastTimestamp?.toISOString() ?? null,
    ...{ baselineName: null, errors: null, ...nothingDrawn() },
  });
  const facts = seriesFacts(model, dataset);
  if (facts === null || series.timestamps === null)
    return nothing("The scenario has no times, so that it cannot be told which actual values are its own.");
  if (dataset === null) return nothing("The project has no dataset, so that no actual value is known.");
  const known = await targetRows(dataset, { timestamp: facts.timestamp, target });
  if (known === null)
    return nothing(`The project's dataset has no "${target}" by "${facts.timestamp}" any more.`);
  const { knownUntil } = await readInputNotes(scenario.inputKey!);
  const judged = judge(model, facts, series, known, knownUntil);
  const { start, end } = rowsBetween(judged.times, judged.times.length, options.from, options.to);
  const errors = measure(judged, start, end);
  if (errors === null) {
    const last = dataset.lastTimestamp;
    const until = last === null ? "" : `: the last one known is of ${tellTime(last.getTime())}`;
    return nothing(`No actual value has arrived for these rows yet${until}.`);
  }
  const learned = learnedUntil(model);
  const learnedRows = judged.times
    .subarray(start, end)
    .reduce((n, time, row) => n + (time <= learned && !Number.isNaN(judged.actual[start + row]!) ? 1 : 0), 0);
  return {
    ...nothing(""),
    ...{ reason: null, learnedRows, errors, baselineName: naiveOf(model).name },
    ...drawn(judged, { maxPoints: options.maxPoints ?? POINTS_DEFAULT, from: start, to: end }),
  };
}

/** The scenario's rows in the order of time, each with the actual value of its step. */
function judge(
  model: OpenModel,
  facts: SeriesFacts,
  series: StoredSeries,
  known: Table,
  knownUntil: number | null,
): Judged {
  const actualAt = actualsOf({ known, ...facts, target: model.state.target });
  const order = Int32Array.from(series.timestamps!.keys())
    .filter((row) => !Number.isNaN(series.timestamps![row]))
    .sort((a, b) => series.timestamps![a]! - series.timestamps![b]! || a - b);
  const inOrder = (from: Float64Array) => Float64Array.from(order, (row) => from[row]!);
  const times = inOrder(series.timestamps!);
  return {
    times,
    actual: times.map((time) => actualAt(time)),
    predicted: inOrder(series.prediction),
    lower: series.lower && inOrder(series.lower),
    upper: series.upper && inOrder(series.upper),
    baseline: naiveOf(model).forecast(knownWhenMade(model, facts, known, knownUntil), times),
  };
}

/** Times and target as they were known when the scenario was made: what the model kept, and newer rows up to then. */
function knownWhenMade(
  { history, state }: OpenModel,
  { timestamp }: SeriesFacts,
  known: Table,
  knownUntil: number | null,
): Table {
  const since = state.lastTimestamp ?? Number.NEGATIVE_INFINITY;
  const until = knownUntil ?? since;
  const times = numericValues(known, timestamp);
  const newer = Int32Array.from(times.keys()).filter((row) => times[row]! > since && times[row]! <= until);
  const names = [timestamp, state.target];
  const parts = [...(history ? [history] : []), takeRows(known, newer)];
  return concatTables(parts.map((part) => selectColumns(part, names)));
}
