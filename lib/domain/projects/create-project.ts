import { projects } from "#db/schema/projects";
import type { CreateProject, Project } from "#lib/contract/projects";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { newId } from "#lib/platform/ids/new-id";
import { getProject } from "./get-project.ts";

export async function createProject(ctx: Context, { name, description }: CreateProject): Promise<Project> {
  const projectId = newId();
  return ctx.db.transaction(async (tx) => {
    await tx.insert(projects).values({ id: projectId, name, description, createdBy: ctx.actor.userId });
    await recordChange(tx, ctx, "project.created", { projectId, entityId: projectId, label: name });
    return storeIdempotentResponse(tx, ctx, await getProject({ db: tx }, { projectId }));
  });
}
