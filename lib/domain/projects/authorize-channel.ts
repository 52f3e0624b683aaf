import { and, eq, exists, gt, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client";
import { apiKeys, isActiveKey } from "#db/schema/access";
import { session, user } from "#db/schema/users";
import { channelOf } from "#lib/contract/channel";
import type { Context } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";
import { connectionUser } from "#lib/platform/realtime/connection-ends";
import { pusherClient, requirePusher } from "#lib/platform/realtime/pusher-client";
import { recordSocketUsers } from "#lib/platform/realtime/record-socket-users";
import { requireProject } from "./require-project.ts";

/** Request of pusher-js to authorise a channel. */
export const ChannelRequest = z.strictObject({
  socket_id: z
    .string()
    .regex(/^\d{1,20}\.\d{1,20}$/, "Send the `socket_id` that the channel server sent")
    .describe("Socket ID of the connection, as the channel server sent it."),
  channel_name: z.string().min(1).max(200).describe("Name of the project's channel."),
});

/**
 * Signs a connection's subscription to a project's channel. The connection ends with the caller's permission
 * (docs/decisions/0178).
 *
 * @throws {DomainError} project_not_found unless the channel belongs to one of the caller's projects;
 *   api_key_invalid; session_required; service_unavailable
 */
export async function authorizeChannel(
  ctx: Pick<Context, "db" | "actor">,
  { socket_id: socketId, channel_name: channel }: z.output<typeof ChannelRequest>,
): Promise<{ auth: string }> {
  const place = { field: "channel_name", value: channel };
  const projectId = await requireProject(ctx, channel.slice(channelOf("").length), place);
  if (channel !== channelOf(projectId)) throw standardError("project_not_found", place);
  const settings = requirePusher();
  const users = [connectionUser.of(ctx.actor), connectionUser.project(projectId)];
  await recordSocketUsers(settings, socketId, users);
  // A revocation before the record has ended no connection, so the permission is checked once more.
  await requireProject(ctx, projectId, place);
  if (!(await isStillPermitted(ctx)))
    throw standardError(ctx.actor.kind === "api-key" ? "api_key_invalid" : "session_required");
  const { auth } = pusherClient(settings).authorizeChannel(socketId, channel);
  return { auth };
}

/**
 * Returns whether, by the database, the key is still active, or the session still exists and its user has the role and may
 * sign in.
 */
async function isStillPermitted({ db, actor }: Pick<Context, "db" | "actor">): Promise<boolean> {
  const found =
    actor.kind === "api-key"
      ? await db
          .select({ id: apiKeys.id })
          .from(apiKeys)
          .where(and(eq(apiKeys.id, actor.apiKeyId), isActiveKey))
      : await db
          .select({ id: user.id })
          .from(user)
          .where(
            and(
              eq(user.id, actor.userId),
              eq(user.role, actor.role),
              isNull(user.disabledAt),
              actor.sessionId === undefined ? undefined : exists(liveSession(db, actor.sessionId)),
            ),
          );
  return found.length > 0;
}

const liveSession = (db: Database, sessionId: string) =>
  db
    .select({ id: session.id })
    .from(session)
    .where(and(eq(session.id, sessionId), gt(session.expiresAt, sql`now()`)));
