import { channelOf } from "#lib/contract/channel";
import type { RealtimeConnection } from "#lib/contract/realtime";
import { browserRealtime } from "#lib/platform/config/browser-realtime";
import type { Context } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { requirePusher } from "#lib/platform/realtime/pusher-client";
import { secondsSinceEvent } from "#lib/platform/realtime/seconds-since-event";
import { requireProject } from "./require-project.ts";

/**
 * Returns the address of a project's real-time events for a browser.
 *
 * @param projectId optional for an API key, which has one project
 * @param pageHost `Host` header of the caller's request
 * @throws {DomainError} project_not_found, validation_failed, service_unavailable
 */
export async function describeRealtime(
  ctx: Pick<Context, "db" | "actor">,
  { projectId, pageHost }: { projectId: string | undefined; pageHost: string },
): Promise<RealtimeConnection> {
  const channelProject = projectId ?? (ctx.actor.kind === "api-key" ? ctx.actor.projectId : undefined);
  if (channelProject === undefined) {
    const message = "The project is missing. Add it to the query: ?projectId=…";
    throw issueError("validation_failed", { field: "projectId", code: "required", message });
  }
  const id = await requireProject(ctx, channelProject, { field: "projectId", id: channelProject });
  return {
    ...browserRealtime(requirePusher(), pageHost),
    channel: channelOf(id),
    secondsSinceLastEvent: await secondsSinceEvent(ctx.db, id),
  };
}
