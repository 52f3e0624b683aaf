import type { Adjustment } from "#lib/contract/scenarios";
import type { LinkedProject } from "#lib/domain/models/linked/linked-models";
import type { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import type { OpenModel } from "#lib/domain/models/open-model";
import { inputAdjustments } from "#lib/engine/inference/adjustments";
import type { AdjustedRows, AdjustRows } from "./adjust-rows.ts";
import { runInputTask } from "./input-tasks.ts";
import { StoredInput } from "./stored-input.ts";

/** Memory per value. */
const VALUE_BYTES = 8;

type Adjustments = Pick<AdjustRows, "store"> & {
  adjustments: readonly Adjustment[];
  signal: AbortSignal | undefined;
};

/**
 * Adjusts the rows of a stored input and checks them for a project's model. Columns that will be computed again may be
 * missing. Stores nothing if any row has an issue.
 *
 * @throws {ArtifactNotFoundError} if the input was deleted
 */
export async function adjustStored(
  series: LinkedSeries,
  { model, facts }: LinkedProject,
  inputKey: string,
  { adjustments, store, signal }: Adjustments,
): Promise<AdjustedRows> {
  const { columns, rowCount } = await StoredInput.open(inputKey);
  const columnNames = new Set(columns.map(({ name }) => name));
  const work: AdjustRows = {
    inputKey,
    adjustments: inputAdjustments(adjustments),
    timestamp: facts?.timestamp ?? null,
    features: model.inputFeatures.filter(
      ({ name }) => columnNames.has(name) || !isComputable(series, model, name),
    ),
    target: model.state.target,
    series: model.state.series?.columns ?? [],
    store,
  };
  return runInputTask("adjust", work, { bytes: rowCount * columns.length * VALUE_BYTES, signal });
}

function isComputable(series: LinkedSeries, model: OpenModel, name: string): boolean {
  const feature = model.inputFeatures.find((one) => one.name === name);
  return feature?.role === "upstream" && series.has(feature.sourceProjectId);
}
