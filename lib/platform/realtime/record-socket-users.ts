import type { PusherSettings } from "#lib/platform/config/environment";
import { DomainError } from "#lib/platform/errors/domain-error";
import { ChannelError } from "./channel-error.ts";
import { confirm } from "./event-channel.ts";
import { pusherClient } from "./pusher-client.ts";

const timeoutMs = 5_000;

/**
 * Records in the embedded server who authorises a connection, so that the connection ends with the authorisation. Other
 * servers reject the call, which changes nothing: they know only the users that clients sign in as.
 *
 * @throws {DomainError} service_unavailable if the server does not respond, because the subscription could not be ended
 */
export async function recordSocketUsers(
  settings: PusherSettings,
  socketId: string,
  users: string[],
): Promise<void> {
  if (settings.host === null) return; // Pusher's own service.
  try {
    const client = pusherClient(settings, undefined, timeoutMs);
    await confirm(await client.post({ path: `/sockets/${socketId}/users`, body: { users } } as never));
  } catch (error) {
    const failure = new ChannelError(error);
    if (failure.isUnknownCall) return;
    throw new DomainError("service_unavailable", `${failure.message}. Try again.`, {
      cause: failure,
      retryAfterSeconds: 5,
      lacks: "realtime",
    });
  }
}
