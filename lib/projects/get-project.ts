import type { Database, Transaction } from "#db/client";
import type { Project } from "#lib/contract/projects";
import { presentProject } from "./present.ts";
import { projectPaging, selectDependencies, selectProjects } from "./queries.ts";
import { projectNotFound } from "./refusals.ts";

/** @throws {DomainError} `project_not_found` */
export async function getProject(
  { db }: { db: Database | Transaction },
  { projectId }: { projectId: string },
): Promise<Project> {
  const [[row], dependencies] = await Promise.all([
    selectProjects(db, { projectId, paging: projectPaging({ limit: 1 }) }),
    selectDependencies(db, [projectId]),
  ]);
  if (!row) throw projectNotFound();
  return presentProject(row, dependencies);
}
