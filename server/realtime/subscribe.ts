import { z } from "zod";
import type { Channels, Subscriber } from "./channels.ts";
import { channelIssue, limits, serverMessage } from "./protocol.ts";
import { type Credentials, isChannelAuthorised } from "./signatures.ts";

export const subscription = z.object({ channel: z.string(), auth: z.string().default("") });

type Request = z.output<typeof subscription>;
type Context = { channels: Channels; credentials: Credentials };
type Rejection = { status: number; error: string };

/** Subscribes a socket to a channel, or sends it the error. The connection stays open in either case. */
export function subscribe(subscriber: Subscriber, request: Request, context: Context): void {
  const { channel } = request;
  const respond = (event: string, data: unknown) =>
    subscriber.send(Buffer.from(serverMessage(event, data, channel)));
  const rejection = rejectionOf(subscriber, request, context);
  if (rejection !== null) {
    respond("pusher:subscription_error", { type: "AuthError", ...rejection });
    return;
  }
  context.channels.join(channel, subscriber);
  respond("pusher_internal:subscription_succeeded", {});
}

function rejectionOf(
  subscriber: Subscriber,
  { channel, auth }: Request,
  { channels, credentials }: Context,
): Rejection | null {
  const issue = channelIssue(channel);
  if (issue !== null) return { status: 400, error: issue };
  if (channels.joinedCount(subscriber) >= limits.channelsPerConnection)
    return {
      status: 403,
      error: `A connection can subscribe to at most ${limits.channelsPerConnection} channels`,
    };
  const isAuthorised = isChannelAuthorised(credentials, { socketId: subscriber.socketId, channel, auth });
  return isAuthorised ? null : { status: 401, error: "Invalid signature" };
}
