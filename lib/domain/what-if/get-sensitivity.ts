import { limits } from "#lib/contract/limits";
import type { Sensitivity } from "#lib/contract/sensitivity";
import { rethrowRejection } from "#lib/domain/models/model-rejection";
import type { ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import type { SeriesQuery } from "#lib/domain/scenarios/panel/resolve-series";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { nearestName } from "#lib/engine/names/nearest-name";
import type { InputChange } from "#lib/engine/what-if/input-changes";
import { countTrials } from "#lib/engine/what-if/sensitivity";
import type { Context } from "#lib/platform/context/context";
import { requireNoIssues } from "#lib/platform/errors/domain-error";
import { openSpan } from "./open-span.ts";
import { rowsToTry } from "./rows-to-try.ts";
import { trainingRows } from "./try-inputs.ts";
import { runWhatIfTask } from "./what-if-tasks.ts";

type Asked = ScenarioRef &
  Omit<SeriesQuery, "by"> & {
    change: InputChange;
    /** Names of the features; undefined: the first features of the model. */
    feature?: readonly string[] | undefined;
    curves: boolean;
    from?: string | undefined;
    to?: string | undefined;
  };

/** Cost of an evaluation, in the bytes by which `taskRunner` chooses between this thread and a new one. */
const COST_PER_EVALUATION = 250;

/**
 * Measures the effect of each input on the predictions of a scenario over a span. Of many series: on the rows of the chosen ones.
 *
 * @throws {DomainError} the errors of `openSpan`; validation_failed for unknown features and a too long span; input_invalid for
 *   changed values that the model rejects
 */
export async function getSensitivity(
  ctx: Context,
  { change, feature: names, curves: withCurves, ...asked }: Asked,
): Promise<Sensitivity> {
  const opened = await openSpan(ctx, asked);
  using _slot = opened;
  const { model, inputs, few, rowsInSpan, rowsBuildOnEachOther, source } = opened;
  const { features, omitted } = chooseFeatures(inputs, names);
  const training = trainingRows(model);
  const trials = countTrials({ features, change, withCurves, training });
  const { rows, evaluatedRows, sample } = rowsToTry(rowsInSpan, trials, rowsBuildOnEachOther);
  const evaluations = trials * (typeof rows === "number" ? rows : rows.length);
  const sensitivity = await runWhatIfTask(
    "tryInputs",
    { ...source, rows, features: features.map(({ name }) => name), change, withCurves },
    { bytes: evaluations * COST_PER_EVALUATION, signal: ctx.signal },
  ).catch(rethrowRejection());
  const summed = (mean: number | null) => (mean === null ? null : mean * rowsInSpan.length);
  const { from, to } = asked;
  const [conditions = [], ...more] = few?.conditions ?? [];
  const ofRows = {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    // Several adjustments would be needed for several combinations of values.
    ...(conditions.length > 0 && more.length === 0 && { where: conditions }),
  };
  return {
    change,
    rowCount: rowsInSpan.length,
    evaluatedRows,
    sample,
    trainingRows: training?.rowCount ?? 0,
    mean: sensitivity.mean,
    sum: summed(sensitivity.mean),
    omittedFeatures: omitted,
    features: sensitivity.features.map(({ feature: { name, type, sourceProjectId }, ...one }) => ({
      feature: name,
      type,
      sourceProjectId,
      effects: one.effects.map(({ change: tried, meanDifference, trainingRows }) => ({
        adjustment: { ...tried, ...ofRows },
        meanDifference,
        sumDifference: summed(meanDifference),
        trainingRows,
      })),
      values: one.values,
      ...(withCurves && { curve: one.curve, density: one.density }),
    })),
  };
}

/** @throws {DomainError} validation_failed for unknown features */
function chooseFeatures(
  inputs: readonly InputFeature[],
  names: readonly string[] | undefined,
): { features: InputFeature[]; omitted: number } {
  if (names === undefined) {
    const features = inputs.slice(0, limits.sensitivityFeatures);
    return { features, omitted: inputs.length - features.length };
  }
  const known = inputs.map(({ name }) => name);
  const details = names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const nearest = nearestName(name, known);
      const hint = nearest === null ? "" : ` Did you mean "${nearest}"?`;
      return {
        field: "feature",
        value: name,
        code: "unknown_feature",
        message: `There is no input "${name}".${hint}`,
      };
    });
  requireNoIssues("validation_failed", details);
  return { features: inputs.filter(({ name }) => names.includes(name)), omitted: 0 };
}
