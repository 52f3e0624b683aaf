import { z } from "zod";
import type { Context } from "#lib/context/context";
import { channelOf } from "#lib/contract/channel";
import { standardError } from "#lib/platform/errors/standard-error";
import { pusherClient } from "#lib/platform/realtime/pusher-client";
import { requirePusher } from "#lib/realtime/require-pusher";
import { requireProject } from "./require-project.ts";

/** What pusher-js sends to have a channel authorised. */
export const ChannelRequest = z.object({
  socket_id: z
    .string()
    .regex(/^\d{1,20}\.\d{1,20}$/, "Write the socket's id as the server gave it")
    .meta({ description: "Of the connection, as the server gave it" }),
  channel_name: z.string().min(1).max(200).meta({ description: "The project's channel" }),
});

/**
 * Signs a connection's subscription to a project's channel.
 *
 * @throws {DomainError} project_not_found for any channel that is not one of the caller's projects;
 *   service_unavailable
 */
export async function authorizeChannel(
  ctx: Pick<Context, "db" | "actor">,
  { socket_id: socketId, channel_name: channel }: z.output<typeof ChannelRequest>,
): Promise<{ auth: string }> {
  const place = { field: "channel_name", value: channel };
  const projectId = await requireProject(ctx, channel.slice(channelOf("").length), place);
  if (channel !== channelOf(projectId)) throw standardError("project_not_found", place);
  const { auth } = pusherClient(requirePusher()).authorizeChannel(socketId, channel);
  return { auth };
}
