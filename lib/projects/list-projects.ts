import type { Page, PageRequest } from "#db/page";
import type { Context } from "#lib/context/context";
import type { Project } from "#lib/contract/projects";
import { presentProject } from "./present.ts";
import { projectPaging, selectDependencies, selectProjects } from "./queries.ts";

/** The projects that exist for the caller, the newest first: a session's all, a key's one. */
export async function listProjects(
  { db, actor }: Pick<Context, "db" | "actor">,
  request: PageRequest = {},
): Promise<Page<Project>> {
  const projectId = actor.kind === "api-key" ? actor.projectId : undefined;
  const paging = projectPaging(request);
  const rows = await selectProjects(db, { projectId, paging });
  const dependencies = await selectDependencies(
    db,
    rows.map(({ id }) => id),
  );
  return paging.page(rows, (row) => presentProject(row, dependencies));
}
