import type { Adjustment } from "#lib/contract/scenarios";
import type { OpenModel } from "#lib/domain/models/open-model";
import { runInputTask } from "#lib/scenarios/input/run-input-task";
import { inputAdjustments } from "./adjust-input.ts";
import type { AdjustedRows, AdjustRows } from "./adjust-rows.ts";
import type { PinnedProject } from "./pinned-models.ts";
import type { PinnedSeries } from "./pinned-series.ts";
import { StoredInput } from "./stored-input.ts";

/** What a value takes in memory. */
const VALUE_BYTES = 8;

type Adjustments = Pick<AdjustRows, "store"> & {
  adjustments: readonly Adjustment[];
  signal: AbortSignal | undefined;
};

/**
 * Adjusts the rows of a stored input and checks them for a project's model; columns that are computed anew need not be
 * there. Stores them where they have no faults.
 *
 * @throws {ArtifactNotFoundError} where the input is gone
 */
export async function adjustStored(
  series: PinnedSeries,
  { model, facts }: PinnedProject,
  inputKey: string,
  { adjustments, store, signal }: Adjustments,
): Promise<AdjustedRows> {
  const { columns, rowCount } = await StoredInput.open(inputKey);
  const given = new Set(columns.map(({ name }) => name));
  const work: AdjustRows = {
    ...{ inputKey, adjustments: inputAdjustments(adjustments), timestamp: facts?.timestamp ?? null },
    features: model.inputFeatures.filter(({ name }) => given.has(name) || !isComputable(series, model, name)),
    ...{ target: model.state.target, store },
  };
  return runInputTask("adjust", work, { bytes: rowCount * columns.length * VALUE_BYTES, signal });
}

function isComputable(series: PinnedSeries, model: OpenModel, name: string): boolean {
  const feature = model.inputFeatures.find((one) => one.name === name);
  return feature?.role === "upstream" && series.has(feature.sourceProjectId);
}
