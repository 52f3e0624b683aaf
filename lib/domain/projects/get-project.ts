import type { Queryable } from "#db/client";
import type { Project } from "#lib/contract/projects";
import { standardError } from "#lib/platform/errors/standard-error";
import { presentProject } from "./present.ts";
import { projectPaging, selectDependencies, selectDetails, selectProjects } from "./select-projects.ts";

/** @throws {DomainError} `project_not_found` */
export async function getProject(
  { db }: { db: Queryable },
  { projectId }: { projectId: string },
): Promise<Project> {
  const [[row], dependencies, details] = await Promise.all([
    selectProjects(db, { projectId, paging: projectPaging({ limit: 1 }) }),
    selectDependencies(db, [projectId]),
    selectDetails(db, projectId),
  ]);
  if (!row || !details) throw standardError("project_not_found");
  return presentProject(row, dependencies, details);
}
