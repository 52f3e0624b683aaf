"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { nextColor } from "#components/ui/palette.ts";
import type { Scenario } from "#lib/contract/scenarios";

export type Look = Pick<Scenario, "title" | "color">;

/** Returns the newest scenarios of a project, from which a new one should differ by title and colour. */
export function useOthers(projectId: string): { others: readonly Look[]; isPending: boolean } {
  const { data, isPending } = useInfiniteQuery(queries.scenarios(projectId));
  return { others: data ?? [], isPending };
}

/** Returns a function that reads the same scenarios when a new one is created. A failed read does not prevent it. */
export function useReadOthers(projectId: string): () => Promise<{ titles: string[]; color: string }> {
  const client = useQueryClient();
  return async () => {
    const read = await client.fetchInfiniteQuery(queries.scenarios(projectId)).catch(() => null);
    const others: Look[] = read?.pages.flatMap(({ items }) => items) ?? [];
    return { titles: others.map(({ title }) => title), color: nextColor(others.map(({ color }) => color)) };
  };
}
