import type { Page, PageRequest } from "#db/page";
import type { ProjectOverview } from "#lib/contract/projects";
import type { Context } from "#lib/platform/context/context";
import { presentProjectOverview } from "./present.ts";
import {
  countOpenJobs,
  projectPaging,
  selectDependencies,
  selectLastScenarios,
  selectProjects,
} from "./select-projects.ts";

/** Returns the caller's projects and their activity, newest first: all for a session, one for an API key. */
export async function listProjects(
  { db, actor }: Pick<Context, "db" | "actor">,
  request: PageRequest = {},
): Promise<Page<ProjectOverview>> {
  const projectId = actor.kind === "api-key" ? actor.projectId : undefined;
  const paging = projectPaging(request);
  const rows = await selectProjects(db, { projectId, paging });
  const ids = rows.map(({ id }) => id);
  const [dependencies, lastScenarios, openJobs] = await Promise.all([
    selectDependencies(db, ids),
    selectLastScenarios(db, ids),
    countOpenJobs(db, ids),
  ]);
  return paging.page(rows, (row) =>
    presentProjectOverview(row, {
      dependencies,
      lastScenario: lastScenarios.find((scenario) => scenario.projectId === row.id) ?? null,
      openJobs: openJobs.find((jobs) => jobs.projectId === row.id)?.open ?? 0,
    }),
  );
}
