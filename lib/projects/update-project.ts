import { and, eq, isNull, sql } from "drizzle-orm";
import { projects } from "#db/schema/projects";
import { recordAudit } from "#lib/audit/record-audit";
import type { Context } from "#lib/context/context";
import type { Project, UpdateProject } from "#lib/contract/projects";
import { getProject } from "./get-project.ts";
import { projectNotFound } from "./refusals.ts";

/** @throws {DomainError} `project_not_found` */
export async function updateProject(
  ctx: Context,
  { projectId, change }: { projectId: string; change: UpdateProject },
): Promise<Project> {
  const { name, description } = change;
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(projects)
      .set({
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        updatedAt: sql`now()`,
      })
      .where(and(eq(projects.id, projectId), isNull(projects.deletedAt)))
      .returning({ name: projects.name });
    if (!row) throw projectNotFound();
    await recordAudit(tx, ctx, {
      projectId,
      action: "project.updated",
      entityType: "project",
      entityId: projectId,
      label: row.name,
    });
  });
  return getProject(ctx, { projectId });
}
