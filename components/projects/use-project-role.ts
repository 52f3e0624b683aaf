import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import type { ProjectRole } from "#lib/contract/project-members";

/** Returns the role of the signed-in user in a project; null until it is known. */
export function useProjectRole(projectId: string): ProjectRole | null {
  const { data } = useQuery(queries.projects());
  return data?.find(({ id }) => id === projectId)?.role ?? null;
}
