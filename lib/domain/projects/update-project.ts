import { eq, sql } from "drizzle-orm";
import { projects } from "#db/schema/projects";
import { storedDisplay } from "#lib/contract/display";
import type { Project, UpdateProject } from "#lib/contract/projects";
import { recordAudit } from "#lib/platform/audit/record-audit";
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
    const [row] = await tx
      .update(projects)
      .set({ name, description, display: display && storedDisplay(display), updatedAt: sql`now()` })
      .where(eq(projects.id, projectId))
      .returning({ name: projects.name });
    await recordAudit(tx, ctx, "project.updated", { projectId, entityId: projectId, label: row!.name });
    return getProject({ db: tx }, { projectId });
  });
}
