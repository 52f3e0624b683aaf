import { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import type { OpenModel } from "#lib/domain/models/open-model";
import { chartOptions } from "#lib/domain/scenarios/chart-window";
import { acquireSlot } from "#lib/domain/scenarios/chunks/long-series-slots";
import { cachedPoints } from "#lib/domain/scenarios/chunks/series-cache";
import { findReadyScenario, type ScenarioRef, type ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { withoutOverrides } from "#lib/domain/scenarios/panel/effective-series";
import type { SeriesQuery } from "#lib/domain/scenarios/panel/resolve-series";
import { requireScenarioModels } from "#lib/domain/scenarios/run/scenario-models";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import type { InputFeature } from "#lib/engine/inference/input-features";
import type { Context } from "#lib/platform/context/context";
import { DomainError, issueError } from "#lib/platform/errors/domain-error";
import { chooseFew, type FewSeries, isRowOf } from "./choose-few.ts";
import type { SpanSource } from "./try-inputs.ts";

type Window = { from?: string | undefined; to?: string | undefined };

/** A span of a scenario whose inputs can be changed. Dispose of it when the response is ready. */
export type OpenSpan = Disposable & {
  row: ScenarioRow;
  model: OpenModel;
  /** Inputs of the model, without times; not empty. */
  inputs: InputFeature[];
  /** Chosen series; null for a scenario with one series. */
  few: FewSeries | null;
  /** Rows of the span and of the chosen series, from 0, ascending; not empty. */
  rowsInSpan: Int32Array;
  /** Whether later rows read the predictions of earlier rows. */
  rowsBuildOnEachOther: boolean;
  source: Omit<SpanSource, "rows">;
};

/**
 * Opens a span of a scenario for predictions with changed inputs. They are compared with the calculated predictions, without overrides.
 *
 * @throws {DomainError} scenario_not_found, run_not_found, checkpoint_not_found, scenario_not_ready, series_not_found,
 *   validation_failed for an invalid or empty span, an invalid choice of series, more than 200 series, and models without inputs
 */
export async function openSpan(
  ctx: Context,
  { projectId, scenarioId, run, asOf, series: ids, where, ...window }: ScenarioRef & Window & SeriesQuery,
): Promise<OpenSpan> {
  const row = withoutOverrides(await findReadyScenario(ctx, { projectId, scenarioId, run, asOf }));
  const { scenario } = row;
  const isTimed = scenario.firstTimestamp !== null;
  if (!isTimed) rejectSpan(window);
  const span = chartOptions(window, isTimed);
  const models = await requireScenarioModels(ctx.db, row);
  const series = new LinkedSeries(ctx.db, models.folders);
  const { model, facts } = await series.project(projectId);
  const inputs = changeableInputs(model);
  if (inputs.length === 0) throw noInputsError();
  const slot = await acquireSlot([row], ctx.signal);
  try {
    const { timestamps, prediction } = await cachedPoints(ctx.db, scenario);
    const [least, most] = [span.from ?? Number.NEGATIVE_INFINITY, span.to ?? Number.POSITIVE_INFINITY];
    const few = await chooseFew(ctx, row, { series: ids, where });
    const rowsInSpan = Int32Array.from(prediction.keys()).filter(
      (at) =>
        (timestamps === null || (timestamps[at]! >= least && timestamps[at]! <= most)) &&
        (few === null || isRowOf(few, at)),
    );
    if (rowsInSpan.length === 0) throw emptySpanError(few !== null);
    const { knownUntil } = await StoredInput.open(scenario.inputKey!);
    const history = models.readsTarget
      ? await series.historyUntil(projectId, knownUntil, few?.keys)
      : undefined;
    return {
      row,
      model,
      inputs,
      few,
      rowsInSpan,
      rowsBuildOnEachOther: models.rowsBuildOnEachOther,
      source: {
        artifactKey: series.folderOf(projectId),
        inputKey: scenario.inputKey!,
        history,
        timestamp: facts?.timestamp ?? null,
        ...span,
      },
      [Symbol.dispose]: () => slot[Symbol.dispose](),
    };
  } catch (error) {
    slot[Symbol.dispose]();
    throw error;
  }
}

/** Returns the inputs that can be changed: neither times, nor the columns that say to which series and level a row belongs. */
function changeableInputs({ inputFeatures, state: { series } }: OpenModel): InputFeature[] {
  const fixed = new Set([...(series?.columns ?? []), ...(series?.levels ?? [])]);
  return inputFeatures.filter(
    ({ name, role, type }) => role !== "timestamp" && type !== "timestamp" && !fixed.has(name),
  );
}

/** Adjustments of rows without times apply to all rows, so a span of rows is not supported. */
function rejectSpan(window: Window): void {
  const fields = (["from", "to"] as const).filter((field) => window[field] !== undefined);
  if (fields.length === 0) return;
  const message = "The scenario has no timestamps. Remove `from` and `to`.";
  throw new DomainError("validation_failed", message, {
    details: fields.map((field) => ({ field, code: "no_timestamp", message })),
  });
}

function emptySpanError(isPanel: boolean): DomainError {
  const ofSeries = isPanel ? " of the chosen series" : "";
  const message = `The scenario has no rows${ofSeries} between \`from\` and \`to\`.`;
  return issueError("validation_failed", { field: "from", code: "no_rows", message });
}

function noInputsError(): DomainError {
  const message = "The model has no inputs to change. It forecasts from times and past values of the target.";
  return issueError("validation_failed", { code: "no_inputs", message });
}
