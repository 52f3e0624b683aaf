import { z } from "zod";
import {
  isCache,
  isChannelName,
  isPresence,
  limits,
  needsAuthorisation,
  serverMessage,
  userOf,
} from "#server/realtime/protocol";
import { type Credentials, isChannelAuthorised } from "#server/realtime/signatures";
import type { Channels, Member, Subscriber } from "./channels.ts";

export const subscription = z.object({
  channel: z.string(),
  auth: z.string().optional(),
  channel_data: z.string().optional(),
});

const presenceMember = z.object({
  user_id: z.union([z.string().min(1).max(limits.userIdCharacters), z.number()]).transform(String),
  user_info: z
    .unknown()
    .refine((info) => Buffer.byteLength(JSON.stringify(info) ?? "") <= limits.userInfoBytes)
    .optional(),
});

type Request = z.output<typeof subscription>;
type Context = { channels: Channels; credentials: Credentials };
type Refusal = { status: number; error: string };

/** Lets a socket into a channel, or tells it why not; the connection stays in either case. */
export function subscribe(subscriber: Subscriber, request: Request, context: Context): void {
  const { channel } = request;
  const { channels } = context;
  const tell = (event: string, data: unknown) =>
    subscriber.send(Buffer.from(serverMessage(event, data, channel)));
  const decision = decide(subscriber, request, context);
  if ("error" in decision) {
    tell("pusher:subscription_error", { type: "AuthError", ...decision });
    return;
  }
  channels.join(channel, subscriber, decision.member);
  const details = isPresence(channel) ? presence(channels.members(channel)) : {};
  tell("pusher_internal:subscription_succeeded", details);
  if (isCache(channel)) channels.catchUp(channel, subscriber);
}

function decide(
  subscriber: Subscriber,
  { channel, auth = "", channel_data: channelData }: Request,
  { channels, credentials }: Context,
): { member: Member | null } | Refusal {
  if (!isChannelName(channel)) return { status: 400, error: "Invalid channel name" };
  if (channels.joinedCount(subscriber) >= limits.channelsPerConnection)
    return { status: 403, error: `A connection has at most ${limits.channelsPerConnection} channels` };
  const user = userOf(channel);
  if (user !== null && user !== subscriber.userId)
    return { status: 401, error: "The connection has not signed in as this user" };
  if (!needsAuthorisation(channel)) return { member: null };

  const claim = { socketId: subscriber.socketId, channel, auth, channelData };
  if (!isChannelAuthorised(credentials, claim)) return { status: 401, error: "Invalid signature" };
  if (!isPresence(channel)) return { member: null };

  const member = parseMember(channelData);
  if (member === null) {
    const most = `at most ${limits.userIdCharacters} characters, and a user_info of at most ${limits.userInfoBytes} bytes`;
    return { status: 400, error: `channel_data must be JSON with a user_id of ${most}` };
  }
  const isFull = channels.memberCount(channel) >= limits.presenceMembers;
  if (isFull && !channels.isPresent(channel, member.user_id)) {
    return { status: 403, error: `The channel is full: ${limits.presenceMembers} members` };
  }
  return { member };
}

function parseMember(channelData: string | undefined): Member | null {
  try {
    return presenceMember.safeParse(JSON.parse(channelData ?? "")).data ?? null;
  } catch {
    return null; // Not JSON: the caller says so.
  }
}

function presence(members: readonly Member[]): unknown {
  const hash = Object.fromEntries(members.map(({ user_id, user_info }) => [user_id, user_info ?? {}]));
  return { presence: { count: members.length, ids: members.map(({ user_id }) => user_id), hash } };
}
