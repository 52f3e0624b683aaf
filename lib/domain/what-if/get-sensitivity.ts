import { limits } from "#lib/contract/limits";
import type { Sensitivity } from "#lib/contract/sensitivity";
import { chartOptions } from "#lib/domain/scenarios/chart-window";
import { findReadyScenario } from "#lib/domain/scenarios/find-scenario";
import { acquireSlot } from "#lib/domain/scenarios/predictions/long-series-slots";
import { cachedPoints } from "#lib/domain/scenarios/predictions/series-cache";
import { PinnedSeries } from "#lib/domain/scenarios/run/pinned-series";
import { scenarioModels } from "#lib/domain/scenarios/run/scenario-models";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import { nearestName } from "#lib/engine/csv/nearest-name";
import type { InputFeature } from "#lib/engine/inference/input-features";
import type { InputChange } from "#lib/engine/what-if/input-changes";
import { countTrials } from "#lib/engine/what-if/sensitivity";
import type { Context } from "#lib/platform/context/context";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { rowsToTry } from "./rows-to-try.ts";
import { trainingRows } from "./try-inputs.ts";
import { runWhatIfTask } from "./what-if-tasks.ts";

type Asked = {
  projectId: string;
  scenarioId: string;
  change: InputChange;
  /** Names of the features; undefined: the first ones of the model. */
  feature?: readonly string[] | undefined;
  curves: boolean;
  from?: string | undefined;
  to?: string | undefined;
};

/** Cost of an evaluation, in a thread's unit: the bytes of a file to read. */
const COST_PER_EVALUATION = 250;

/**
 * Measures the effect of each input on the predictions of a scenario over a span.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed for an invalid span, unknown features
 *   and models without inputs
 */
export async function getSensitivity(
  ctx: Context,
  { projectId, scenarioId, change, feature: names, curves: withCurves, ...window }: Asked,
): Promise<Sensitivity> {
  const row = await findReadyScenario(ctx, { projectId, scenarioId });
  const { scenario } = row;
  const isTimed = scenario.firstTimestamp !== null;
  if (!isTimed) refuseSpan(window);
  const span = chartOptions(window, isTimed);
  const models = await scenarioModels(ctx.db, scenario);
  // A checkpoint is removed only after its scenarios, so the scenario was deleted during this request.
  if (models === null) throw standardError("scenario_not_found");
  const pinned = new PinnedSeries(ctx.db, models.folders);
  const { model, facts } = await pinned.project(projectId);
  const { features, omitted } = chooseFeatures(model.inputFeatures, names);
  using _slot = await acquireSlot([row], ctx.signal);
  const { timestamps, prediction } = await cachedPoints(ctx.db, scenario);
  const [least, most] = [span.from ?? Number.NEGATIVE_INFINITY, span.to ?? Number.POSITIVE_INFINITY];
  const rowsInSpan = Int32Array.from(prediction.keys()).filter(
    (at) => timestamps === null || (timestamps[at]! >= least && timestamps[at]! <= most),
  );
  if (rowsInSpan.length === 0) throw emptySpan();
  const training = trainingRows(model);
  const trials = countTrials({ features, change, withCurves, training });
  const { rows, evaluatedRows, sample } = rowsToTry(rowsInSpan, trials, models.buildOnEachOther);
  const { knownUntil } = await StoredInput.open(scenario.inputKey!);
  const history = models.readsTarget ? await pinned.historyUntil(projectId, knownUntil) : undefined;
  const evaluations = trials * (typeof rows === "number" ? rows : rows.length);
  const found = await runWhatIfTask(
    "tryInputs",
    {
      ...{ artifactKey: pinned.folderOf(projectId), inputKey: scenario.inputKey!, rows, history },
      ...{ features: features.map(({ name }) => name), change, withCurves },
      ...{ timestamp: facts?.timestamp ?? null, ...span },
    },
    { bytes: evaluations * COST_PER_EVALUATION, signal: ctx.signal },
  );
  const summed = (mean: number | null) => (mean === null ? null : mean * rowsInSpan.length);
  const { from, to } = window;
  return {
    ...{ change, rowCount: rowsInSpan.length, evaluatedRows, sample },
    trainingRows: training?.rowCount ?? 0,
    ...{ mean: found.mean, sum: summed(found.mean) },
    omittedFeatures: omitted,
    features: found.features.map(({ feature: { name, type, sourceProjectId }, ...one }) => ({
      ...{ feature: name, type, sourceProjectId },
      effects: one.effects.map(({ change: tried, meanDifference, trainingRows }) => ({
        adjustment: { ...tried, ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
        ...{ meanDifference, sumDifference: summed(meanDifference), trainingRows },
      })),
      values: one.values,
      ...(withCurves && { curve: one.curve, density: one.density }),
    })),
  };
}

/** Adjustments of rows without times apply to all rows, so a span of rows is not supported. */
function refuseSpan(window: Pick<Asked, "from" | "to">): void {
  const given = (["from", "to"] as const).filter((field) => window[field] !== undefined);
  if (given.length === 0) return;
  const message = "The scenario has no timestamps. Remove `from` and `to`.";
  throw new DomainError("validation_failed", message, {
    details: given.map((field) => ({ field, code: "no_timestamp", message })),
  });
}

function emptySpan(): DomainError {
  const message = "The scenario has no rows between `from` and `to`.";
  return new DomainError("validation_failed", message, {
    details: [{ field: "from", code: "no_rows", message }],
  });
}

/** @throws {DomainError} validation_failed for unknown features and models without inputs */
function chooseFeatures(
  all: readonly InputFeature[],
  names: readonly string[] | undefined,
): { features: InputFeature[]; omitted: number } {
  const inputs = all.filter(({ role, type }) => role !== "timestamp" && type !== "timestamp");
  if (inputs.length === 0) {
    const message =
      "The model has no inputs to change. It forecasts from times and past values of the target.";
    throw new DomainError("validation_failed", message, { details: [{ code: "no_inputs", message }] });
  }
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
        ...{ field: "feature", value: name, code: "unknown_feature" },
        message: `There is no input "${name}".${hint}`,
      };
    });
  if (details[0] !== undefined) throw new DomainError("validation_failed", details[0].message, { details });
  return { features: inputs.filter(({ name }) => names.includes(name)), omitted: 0 };
}
