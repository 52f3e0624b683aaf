import type { Table } from "#lib/contract/table";
import type { OpenModel } from "#lib/domain/models/open-model";
import { judgeModel, learnedUntil } from "./judge-model.ts";
import type { Judged } from "./measure.ts";
import { forecastNaively, naiveOf } from "./naive-of.ts";

/**
 * Returns predictions of known rows that the model had not seen: new predictions of rows after its training data, and
 * the predictions of its validation rows that training kept.
 *
 * @param history all known rows in ascending time order, with the target and every input feature
 * @returns null if there is no such row, or the reason why the model cannot predict the later rows
 */
export async function judgeOutOfSample(
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
