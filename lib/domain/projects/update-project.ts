import { eq, sql } from "drizzle-orm";
import { projects } from "#db/schema/projects";
import { storedDisplay } from "#lib/contract/display";
import type { Project, UpdateProject } from "#lib/contract/projects";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { getProject } from "./get-project.ts";
import { lockProject } from "./lock-project.ts";

/** @throws {DomainError} `project_not_found` */
export async function updateProject(
  ctx: Context,
  { projectId, change }: { projectId: string; change: UpdateProject },
): Promise<Project> {
  const { name, description, display } = change;
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, projectId);
    await requireIfMatch(ctx, () => getProject({ db: tx }, { projectId }));
    const settings = { name: projects.name, description: projects.description, display: projects.display };
    const [before] = await tx.select(settings).from(projects).where(eq(projects.id, projectId));
    const [after] = await tx
      .update(projects)
      .set({ name, description, display: display && storedDisplay(display), updatedAt: sql`now()` })
      .where(eq(projects.id, projectId))
      .returning(settings);
    await recordChange(tx, ctx, "project.updated", {
      projectId,
      entityId: projectId,
      label: after!.name,
      changes: changesBetween(before!, after!),
    });
    return getProject({ db: tx }, { projectId });
  });
}
