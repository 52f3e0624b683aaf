import { z } from "zod";
import type { Channels } from "#lib/realtime/server/channels";
import type { Users } from "#lib/realtime/server/users";
import {
  type CloseCode,
  closeCodes,
  isCache,
  isChannelName,
  isPresence,
  limits,
  userOf,
} from "./protocol.ts";
import { type Credentials, requestFault } from "./signatures.ts";

export type ApiAnswer = { status: number; body: unknown };

const event = z.object({
  name: z.string().min(1).max(200),
  data: z.string(),
  socket_id: z
    .string()
    .regex(/^\d+\.\d+$/, "Invalid socket_id")
    .optional(),
  info: z.string().optional(),
});
const channelName = z.string().refine(isChannelName, "Invalid channel name");
const singleEvent = event
  .extend({
    channel: channelName.optional(),
    channels: z.array(channelName).max(limits.channelsPerEvent).optional(),
  })
  .transform(({ channel, channels, ...rest }) => ({
    ...rest,
    channels: channels ?? (channel ? [channel] : []),
  }))
  .refine(({ channels }) => channels.length > 0, "No channel");
const batch = z.object({ batch: z.array(event.extend({ channel: channelName })).max(limits.eventsPerBatch) });

type Call = { method: string; url: URL; body: Buffer };
type Context = {
  channels: Channels;
  users: Users<{ close(code: CloseCode): void }>;
  credentials: Credentials;
};

/**
 * Answers a call to the HTTP API: events, batch_events, channels, a channel, a presence channel's users, the end of a
 * user's connections.
 * https://pusher.com/docs/channels/library_auth_reference/rest-api/
 */
export function answerCall(call: Call, { channels, users, credentials }: Context): ApiAnswer {
  const [, appId, resource] = /^\/apps\/([^/]+)\/(.+)$/.exec(call.url.pathname) ?? [];
  if (resource === undefined) return failure(404, "Path not found");
  if (appId !== credentials.appId) return failure(404, "Unknown application");
  const fault = requestFault(credentials, call);
  if (fault !== null) return failure(401, fault);
  const [, user] = /^users\/([^/]+)\/terminate_connections$/.exec(resource) ?? [];
  if (user !== undefined && call.method === "POST") return terminate(user, users);
  return call.method === "POST"
    ? publish(resource, call.body, channels)
    : inspect(resource, call.url, channels);
}

/** A terminated client does not come back by itself: 4009 tells it so. */
function terminate(encoded: string, users: Context["users"]): ApiAnswer {
  const id = decoded(encoded);
  if (id === null) return failure(400, "Invalid user id");
  for (const connection of users.of(id)) connection.close(closeCodes.unauthorized);
  return { status: 200, body: {} };
}

function publish(resource: string, body: Buffer, channels: Channels): ApiAnswer {
  const schema = resource === "events" ? singleEvent : resource === "batch_events" ? batch : null;
  if (schema === null) return failure(404, "Path not found");
  const parsed = schema.safeParse(parseJson(body));
  if (!parsed.success) return failure(400, z.prettifyError(parsed.error));
  const events =
    "batch" in parsed.data
      ? parsed.data.batch.map(({ channel, ...rest }) => ({ ...rest, channels: [channel] }))
      : [parsed.data];
  if (events.some(({ data }) => Buffer.byteLength(data) > limits.dataBytes)) {
    return failure(413, `The data of an event has at most ${limits.dataBytes} bytes`);
  }
  for (const { name, data, channels: names, socket_id } of events) {
    for (const channel of names) channels.publish(channel, name, data, socket_id);
  }
  if ("batch" in parsed.data) {
    if (events.every(({ info }) => info === undefined)) return { status: 200, body: {} };
    return {
      status: 200,
      body: { batch: events.map(({ channels: names, info }) => attributes(channels, names[0]!, info)) },
    };
  }
  const { channels: names, info } = parsed.data;
  if (info === undefined) return { status: 200, body: {} };
  return {
    status: 200,
    body: { channels: Object.fromEntries(names.map((name) => [name, attributes(channels, name, info)])) },
  };
}

function inspect(resource: string, url: URL, channels: Channels): ApiAnswer {
  const info = url.searchParams.get("info") ?? undefined;
  if (resource === "channels") {
    const prefix = url.searchParams.get("filter_by_prefix") ?? "";
    if (asks(info, "user_count") && !isPresence(prefix)) {
      return failure(400, "user_count is known for presence channels only: use filter_by_prefix=presence-");
    }
    const names = channels.names().filter((name) => name.startsWith(prefix) && userOf(name) === null);
    const found = names.map((name) => [name, attributes(channels, name, info)]);
    return { status: 200, body: { channels: Object.fromEntries(found) } };
  }
  const [, encoded, users] = /^channels\/([^/]+)(\/users)?$/.exec(resource) ?? [];
  if (encoded === undefined) return failure(404, "Path not found");
  const name = decoded(encoded);
  if (name === null) return failure(400, "Invalid channel name");
  if (users === undefined) {
    if (asks(info, "user_count") && !isPresence(name)) {
      return failure(400, "user_count is known for presence channels only");
    }
    const occupied = channels.subscriptionCount(name) > 0;
    return { status: 200, body: { occupied, ...attributes(channels, name, info) } };
  }
  if (!isPresence(name)) return failure(400, "Users are known for presence channels only");
  return { status: 200, body: { users: channels.members(name).map(({ user_id: id }) => ({ id })) } };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null; // A % without its two digits.
  }
}

const asks = (info: string | undefined, attribute: string): boolean =>
  info?.split(",").includes(attribute) ?? false;

function attributes(channels: Channels, name: string, info: string | undefined): Record<string, unknown> {
  const cached = asks(info, "cache") && isCache(name) ? channels.lastEvent(name) : null;
  return {
    ...(cached ? { cache: { data: cached.data, ttl: cached.ttl } } : {}),
    ...(asks(info, "subscription_count") ? { subscription_count: channels.subscriptionCount(name) } : {}),
    ...(asks(info, "user_count") && isPresence(name) ? { user_count: channels.memberCount(name) } : {}),
  };
}

const failure = (status: number, error: string): ApiAnswer => ({ status, body: { error } });

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined; // The schema refuses it.
  }
}
