import { z } from "zod";
import { channelOf } from "#lib/contract/channel";
import type { Context } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";
import { pusherClient, requirePusher } from "#lib/platform/realtime/pusher-client";
import { requireProject } from "./require-project.ts";

/** Request of pusher-js to authorise a channel. */
export const ChannelRequest = z.object({
  socket_id: z
    .string()
    .regex(/^\d{1,20}\.\d{1,20}$/, "Must be the `socket_id` that the server sent")
    .meta({ description: "Socket ID of the connection, as the server sent it." }),
  channel_name: z.string().min(1).max(200).meta({ description: "Name of the project's channel." }),
});

/**
 * Signs a connection's subscription to a project's channel.
 *
 * @throws {DomainError} project_not_found unless the channel belongs to one of the caller's projects;
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
