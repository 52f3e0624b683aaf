import { eq, sql } from "drizzle-orm";
import { projects } from "#db/schema/projects";
import { storedDisplay } from "#lib/contract/display";
import type { Project, UpdateProject } from "#lib/contract/projects";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { DomainError } from "#lib/platform/errors/domain-error";
import { connectionUser, endConnections } from "#lib/platform/realtime/connection-ends";
import { getProject } from "./get-project.ts";
import { lockProject } from "./lock-project.ts";

/**
 * Changes a project. A project that becomes restricted ends its realtime connections; permitted ones subscribe again.
 *
 * @throws {DomainError} `project_not_found`; `forbidden` for a key that changes the access
 */
export async function updateProject(
  ctx: Context,
  { projectId, change }: { projectId: string; change: UpdateProject },
): Promise<Project> {
  const { name, description, display, runsKept, access } = change;
  if (access !== undefined && ctx.actor.kind === "api-key") {
    const message = "An API key cannot change the access to its project. Sign in as an admin of the project.";
    throw new DomainError("forbidden", message);
  }
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, projectId);
    await requireIfMatch(ctx, () => getProject({ db: tx }, { projectId }));
    const settings = {
      name: projects.name,
      description: projects.description,
      display: projects.display,
      runsKept: projects.runsKept,
      access: projects.access,
    };
    const [before] = await tx.select(settings).from(projects).where(eq(projects.id, projectId));
    const [after] = await tx
      .update(projects)
      .set({
        name,
        description,
        display: display && storedDisplay(display),
        runsKept,
        access,
        updatedAt: sql`now()`,
      })
      .where(eq(projects.id, projectId))
      .returning(settings);
    if (access === "restricted") await endConnections(tx, connectionUser.project(projectId));
    await recordChange(tx, ctx, "project.updated", {
      projectId,
      entityId: projectId,
      label: after!.name,
      changes: changesBetween(before!, after!),
    });
    return getProject({ db: tx }, { projectId });
  });
}
