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

/** Returns the projects in which the caller has a role, and their activity, newest first. An API key has one. */
export async function listProjects(
  { db, actor }: Pick<Context, "db" | "actor">,
  request: PageRequest = {},
): Promise<Page<ProjectOverview>> {
  const paging = projectPaging(request);
  const rows = await selectProjects(db, { actor, paging });
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
