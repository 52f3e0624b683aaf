import type { Context } from "#lib/context/context";
import { channelOf } from "#lib/contract/channel";
import type { RealtimeConnection } from "#lib/contract/realtime";
import { browserRealtime } from "#lib/platform/config/browser-realtime";
import { DomainError } from "#lib/platform/errors/domain-error";
import { requirePusher } from "#lib/realtime/require-pusher";
import { requireProject } from "./require-project.ts";

/**
 * Where a browser reaches the events of a project.
 *
 * @param projectId may be left out by a key, which has but one
 * @param pageHost the `Host` by which the caller found this service
 * @throws {DomainError} project_not_found, validation_failed, service_unavailable
 */
export async function describeRealtime(
  ctx: Pick<Context, "db" | "actor">,
  { projectId, pageHost }: { projectId: string | undefined; pageHost: string },
): Promise<RealtimeConnection> {
  const wanted = projectId ?? (ctx.actor.kind === "api-key" ? ctx.actor.projectId : undefined);
  if (wanted === undefined) {
    const message = "Say which project's events you want: ?projectId=…";
    throw new DomainError("validation_failed", message, {
      details: [{ field: "projectId", code: "required", message }],
    });
  }
  const id = await requireProject(ctx, wanted, { field: "projectId", id: wanted });
  return { ...browserRealtime(requirePusher(), pageHost), channel: channelOf(id) };
}
