import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { queries } from "#components/api/queries.ts";
import { type PanelChoice, type PanelColumn, panelColumns, weightColumns } from "./panel-state.ts";

/** Returns the columns that form groups of the project's series, from few groups to many; empty for one series. */
export function usePanelColumns(projectId: string): PanelColumn[] {
  const series = useQuery(queries.dataset(projectId)).data?.series;
  return useMemo(() => panelColumns(series), [series]);
}

/** Returns the inputs that can weigh means of scenarios, by their checkpoints; undefined while they load, and for sums. */
export function useWeightColumns(
  projectId: string,
  { combine }: Pick<PanelChoice, "combine">,
  checkpointIds: readonly (string | null)[],
): string[] | undefined {
  const wanted = combine === "mean" ? [...new Set(checkpointIds)] : [];
  const models = useQueries({ queries: wanted.map((id) => queries.checkpoint(projectId, id)) });
  const known = models.flatMap(({ data }) => data ?? []);
  return known.length > 0 && known.length === wanted.length ? weightColumns(known) : undefined;
}
