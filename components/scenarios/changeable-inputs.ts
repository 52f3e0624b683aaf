import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { type PanelColumn, panelColumns } from "#components/panel/panel-state.ts";
import type { InputFeature } from "#lib/contract/models";

/** Returns the inputs that a change can set: neither times, nor columns that say to which series and level a row belongs. */
export function changeableInputs(
  features: readonly InputFeature[],
  columns: readonly Pick<PanelColumn, "name">[],
): InputFeature[] {
  const fixed = columns.map(({ name }) => name);
  return features.filter(
    ({ name, role, type }) => role !== "timestamp" && type !== "timestamp" && !fixed.includes(name),
  );
}

/**
 * Reads the changeable inputs of a checkpoint, so that a panel without any asks the service nothing. They are undefined while
 * they load, and without a checkpoint.
 */
export function useChangeableInputs(projectId: string, checkpointId: string | null) {
  const checkpoint = useQuery(queries.checkpoint(projectId, checkpointId));
  const dataset = useQuery(queries.dataset(projectId));
  const inputs =
    checkpoint.data &&
    !dataset.isPending &&
    changeableInputs(checkpoint.data.inputFeatures, panelColumns(dataset.data?.series));
  return { inputs: inputs || undefined, error: checkpoint.error, refetch: checkpoint.refetch };
}
