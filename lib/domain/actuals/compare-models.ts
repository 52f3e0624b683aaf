import type { Database } from "#db/client";
import type { ModelChanges } from "#lib/contract/actuals";
import { BOOLEAN_CLASSES, type Classes, NUMBER_CLASSES } from "#lib/contract/classes";
import type { Table } from "#lib/contract/table";
import { servingSeries } from "#lib/domain/models/linked/serving-series";
import { type OpenModel, openModel } from "#lib/domain/models/open-model";
import { findColumn } from "#lib/engine/table/columns";
import { judgeModel, learnedUntil } from "./judge-model.ts";
import { type Judged, measure, takeJudged } from "./measure.ts";
import { forecastNaively, naiveOf } from "./naive-of.ts";
import { whereComputable } from "./where-computable.ts";

type Stored = { projectId: string; artifactKey: string; sha256: string };
type SameRows = Pick<ModelChanges, "sameRows" | "reason">;

const not = (reason: string): SameRows => ({ sameRows: null, reason });

/** Measures the errors of both models on the rows that were unseen by each model when it predicted them. */
export async function compareModels(db: Database, before: Stored, after: Stored): Promise<SameRows> {
  const [older, newer] = await Promise.all([
    openModel(before.artifactKey, before.sha256),
    openModel(after.artifactKey, after.sha256),
  ]);
  const { timestamp, target } = newer.state;
  if (newer.state.series || older.state.series)
    return not("Models of many series are not compared on the same rows yet.");
  if (newer.state.imported || older.state.imported)
    return not("An imported model keeps no rows to compare the two models on.");
  if (timestamp === null || newer.history === null || older.state.timestamp !== timestamp)
    return not("Without a common timestamp column, rows that are new to both models cannot be identified.");
  if (older.state.target !== target) return not(`The previous model predicts "${older.state.target}".`);
  const differing = classDifference(older.state.classes, newer.state.classes);
  if (differing !== null) return not(differing);
  const now = await judgeOutOfSample(newer, { timestamp, history: newer.history });
  const history = await historyFor(db, older, newer.history, before);
  if (history !== null && "reason" in history) return not(history.reason);
  const then = history && (await judgeOutOfSample(older, { timestamp, history }));
  if (now === null || then === null) return not("One of the two models has no predictions of unseen rows.");
  for (const judged of [now, then]) if ("reason" in judged) return not(judged.reason);
  return measured(then as Judged, now as Judged);
}

/**
 * Returns why the actuals of the later model are not those of the earlier one. Models of true and false, and of 0 and 1,
 * can be compared with models of these numbers.
 */
function classDifference(before: Classes | undefined, after: Classes | undefined): string | null {
  const namesOf = (classes: Classes) => `"${classes.join('" and "')}"`;
  if (before && after)
    return namesOf(before) === namesOf(after)
      ? null
      : `The previous model predicts other classes: ${namesOf(before)}.`;
  const classes = before ?? after;
  if (!classes || [BOOLEAN_CLASSES, NUMBER_CLASSES].some((some) => namesOf(some) === namesOf(classes)))
    return null;
  return before
    ? `The previous model predicts the classes ${namesOf(before)} and not numbers.`
    : `The previous model predicts numbers and not the classes ${namesOf(classes)}.`;
}

/**
 * Returns the history that the earlier model looks back at: the later model's rows if they have all input features of
 * the earlier model, otherwise the project's rows. null if the project has none. A reason if upstream features of the
 * project's rows cannot be computed.
 */
async function historyFor(
  db: Database,
  older: OpenModel,
  history: Table,
  { projectId, ...folder }: Stored,
): Promise<Table | null | { reason: string }> {
  if (older.inputFeatures.every(({ name }) => findColumn(history, name))) return history;
  const series = await servingSeries(db, projectId, { checkpointId: null, ...folder });
  return whereComputable(series.history(projectId));
}

/** Measures both models over the rows that both predicted. */
function measured(then: Judged, now: Judged): SameRows {
  const predictedNow = new Set(now.times);
  const shared = new Set(then.times.filter((time) => predictedNow.has(time)));
  const within = (judged: Judged) => {
    const rows = Int32Array.from(judged.times.keys()).filter((row) => shared.has(judged.times[row]!));
    return takeJudged(judged, rows);
  };
  const [before, after] = [measure(within(then)), measure(within(now))];
  if (before === null || after === null) return not("The two models have no unseen rows in common.");
  const times = [...shared];
  const instant = (time: number) => new Date(time).toISOString();
  const from = instant(times.reduce((a, b) => Math.min(a, b)));
  const to = instant(times.reduce((a, b) => Math.max(a, b)));
  return { sameRows: { from, to, before, after }, reason: null };
}

/**
 * Returns predictions of known rows that the model had not seen: new predictions of rows after its training data, and
 * the predictions of its validation rows that training kept.
 *
 * @param history all known rows in ascending time order, with the target and every input feature
 * @returns null if there is no such row, or the reason why the model cannot predict the later rows
 */
async function judgeOutOfSample(
  model: OpenModel,
  { history, timestamp }: { history: Table; timestamp: string },
): Promise<Judged | { reason: string } | null> {
  const since = learnedUntil(model);
  const later = await judgeModel(model, { history, timestamp, since });
  if (later !== null && "reason" in later) return later;
  const { time: times, actual, predicted } = (await model.outOfSample()).validation;
  if (times.length === 0) return later;
  const baseline = forecastNaively(naiveOf(model), history, times);
  const areClasses = model.state.classes !== undefined;
  const kept: Judged = { times, actual, predicted, lower: null, upper: null, baseline, areClasses };
  return later ? joined(kept, later) : kept;
}

/** Concatenates the rows, without intervals. */
function joined(first: Judged, second: Judged): Judged {
  const both = (of: (judged: Judged) => Float64Array) => Float64Array.of(...of(first), ...of(second));
  return {
    times: both(({ times }) => times),
    actual: both(({ actual }) => actual),
    predicted: both(({ predicted }) => predicted),
    lower: null,
    upper: null,
    baseline: both(({ baseline }) => baseline),
    areClasses: first.areClasses,
  };
}
