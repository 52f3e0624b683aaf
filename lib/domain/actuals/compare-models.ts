import type { ModelChanges } from "#lib/contract/actuals";
import { BOOLEAN_CLASSES, type Classes, NUMBER_CLASSES } from "#lib/contract/classes";
import type { Table } from "#lib/contract/table";
import { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import type { SeriesSources } from "#lib/domain/models/linked/serving-series";
import { type OpenModel, openModel } from "#lib/domain/models/open-model";
import { findColumn } from "#lib/engine/table/columns";
import { comparePanels } from "./compare-panels.ts";
import { judgeModel, learnedUntil } from "./judge-model.ts";
import type { Judged } from "./measure.ts";
import { forecastNaively, naiveOf } from "./naive-of.ts";
import { joinUnseen, measureSameRows, type Unseen } from "./same-rows.ts";
import { whereComputable } from "./where-computable.ts";

type Stored = { artifactKey: string; sha256: string };
/** `sources`: those of the earlier model. */
type ModelPair = { projectId: string; before: Stored; after: Stored; sources: SeriesSources };
export type SameRows = Pick<ModelChanges, "sameRows" | "reason">;

const not = (reason: string): SameRows => ({ sameRows: null, reason });

/** Measures the errors of both models on the rows that were unseen by each model when it predicted them. */
export async function compareModels({ projectId, before, after, sources }: ModelPair): Promise<SameRows> {
  const [older, newer] = await Promise.all([
    openModel(before.artifactKey, before.sha256),
    openModel(after.artifactKey, after.sha256),
  ]);
  const { timestamp, target } = newer.state;
  const [own, former] = [newer, older].map(({ state }) => (state.series?.columns ?? []).join(", "));
  if (own !== former)
    return not(`The previous model has ${former ? `the series of ${former}` : "one series"}.`);
  if (newer.state.imported || older.state.imported)
    return not("An imported model keeps no rows to compare the two models on.");
  if (timestamp === null || newer.history === null || older.state.timestamp !== timestamp)
    return not("Without a common timestamp column, rows that are new to both models cannot be identified.");
  if (older.state.target !== target) return not(`The previous model predicts "${older.state.target}".`);
  const differing = classDifference(older.state.classes, newer.state.classes);
  if (differing !== null) return not(differing);
  const history = await historyFor(older, newer.history, { projectId, sources });
  if (history !== null && "reason" in history) return not(history.reason);
  if (newer.state.series) {
    if (history === null) return not("The project has no rows to compare the two models on.");
    const compared = await comparePanels({ older, newer, timestamp }, history);
    return "reason" in compared ? not(compared.reason) : { sameRows: compared, reason: null };
  }
  const now = await judgeOutOfSample(newer, { timestamp, history: newer.history });
  const then = history && (await judgeOutOfSample(older, { timestamp, history }));
  if (now === null || then === null) return not("One of the two models has no predictions of unseen rows.");
  if ("reason" in now) return not(now.reason);
  if ("reason" in then) return not(then.reason);
  const sameRows = measureSameRows(then, now);
  return sameRows === null
    ? not("The two models have no unseen rows in common.")
    : { sameRows, reason: null };
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
  older: OpenModel,
  history: Table,
  { projectId, sources: { datasets, folders } }: Pick<ModelPair, "projectId" | "sources">,
): Promise<Table | null | { reason: string }> {
  if (older.inputFeatures.every(({ name }) => findColumn(history, name))) return history;
  return whereComputable(new LinkedSeries(datasets, folders).history(projectId));
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
): Promise<Unseen | { reason: string } | null> {
  const since = learnedUntil(model);
  const later = await judgeModel(model, { history, timestamp, since });
  if (later !== null && "reason" in later) return later;
  const unseen = (judged: Judged): Unseen => ({ judged, keys: [...judged.times] });
  const { time: times, actual, predicted } = (await model.outOfSample()).validation;
  if (times.length === 0) return later && unseen(later);
  const baseline = forecastNaively(naiveOf(model), history, times);
  const areClasses = model.state.classes !== undefined;
  const kept = unseen({ times, actual, predicted, lower: null, upper: null, baseline, areClasses });
  return later ? joinUnseen(kept, unseen(later)) : kept;
}
