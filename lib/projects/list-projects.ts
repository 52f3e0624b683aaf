import type { Context } from "#lib/context/context";
import type { Project } from "#lib/contract/projects";
import { presentProject } from "./present.ts";
import { selectDependencies, selectProjects } from "./queries.ts";

/**
 * The projects that exist for the caller, the newest first: a session's all, a key's one.
 *
 * @param before id of the last project of the page before
 * @returns `nextBefore` is null on the last page
 */
export async function listProjects(
  { db, actor }: Pick<Context, "db" | "actor">,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<{ projects: Project[]; nextBefore: string | null }> {
  const projectId = actor.kind === "api-key" ? actor.projectId : undefined;
  const rows = await selectProjects(db, { projectId, before, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const dependencies = await selectDependencies(
    db,
    page.map(({ id }) => id),
  );
  return {
    projects: page.map((row) => presentProject(row, dependencies)),
    nextBefore: rows.length > limit ? page.at(-1)!.id : null,
  };
}
