import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { queries } from "#components/api/queries.ts";
import { panelColumns } from "./panel-state.ts";

/** Returns the columns that form groups of the project's series, from few groups to many; empty for one series. */
export function usePanelColumns(projectId: string): string[] {
  const series = useQuery(queries.dataset(projectId)).data?.series;
  return useMemo(() => panelColumns(series), [series]);
}
