"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import type { Checkpoint } from "#lib/contract/checkpoints";
import type { Dataset } from "#lib/contract/datasets";
import type { ProjectSummary } from "#lib/contract/projects";

export type ScenarioSetup = {
  project: ProjectSummary;
  dataset: Dataset | null;
  checkpoints: Checkpoint[];
  /** Upstream projects, direct and indirect. */
  upstream: ProjectSummary[];
};

/** Returns all projects reachable over dependencies, nearest first. */
function reachableProjects(projectId: string, projects: readonly ProjectSummary[]): ProjectSummary[] {
  const byId = new Map(projects.map((project) => [project.id, project]));
  const reachable = new Map<string, ProjectSummary>();
  const queue = [...(byId.get(projectId)?.dependencies ?? [])];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const project = byId.get(next.projectId);
    if (!project || reachable.has(project.id)) continue;
    reachable.set(project.id, project);
    queue.push(...project.dependencies);
  }
  return [...reachable.values()];
}

/**
 * Returns the data that the form needs, or null while loading. Refetches the proposed defaults, because a stale default
 * would run another model or save an unneeded checkpoint.
 */
export function useScenarioSetup(projectId: string): { setup: ScenarioSetup | null; error: Error | null } {
  const projects = useQuery({ ...queries.projects(), refetchOnMount: "always" });
  const dataset = useQuery(queries.dataset(projectId));
  const checkpoints = useQuery({ ...queries.checkpoints(projectId), refetchOnMount: "always" });
  const upstream = projects.data ? reachableProjects(projectId, projects.data) : [];
  const project = projects.data?.find(({ id }) => id === projectId);
  const error = projects.error ?? dataset.error ?? checkpoints.error ?? null;
  const isCurrent = projects.isFetchedAfterMount && checkpoints.isFetchedAfterMount;
  if (!isCurrent || !project || dataset.isPending || !checkpoints.data) return { setup: null, error };
  return {
    error,
    setup: {
      project,
      dataset: dataset.data ?? null,
      checkpoints: checkpoints.data,
      upstream,
    },
  };
}
