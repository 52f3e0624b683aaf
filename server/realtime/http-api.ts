import { z } from "zod";
import type { Channels } from "./channels.ts";
import type { Connection } from "./connection.ts";
import { channelIssue, closeCodes, limits, parseJson } from "./protocol.ts";
import { type Credentials, requestIssue } from "./signatures.ts";

type ApiAnswer = { status: number; body: unknown };

/** Only attribute of a channel that a call can request. */
const attribute = z.literal("subscription_count", "Unsupported info: use subscription_count").optional();
const event = z.object({
  name: z.string().min(1).max(200),
  data: z.string(),
  socket_id: z
    .string()
    .regex(/^\d+\.\d+$/, "Invalid socket_id")
    .optional(),
  info: attribute,
});
const channelName = z.string().superRefine((name, context) => {
  const issue = channelIssue(name);
  if (issue !== null) context.addIssue(issue);
});
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
  credentials: Credentials;
  /** Open connections by socket ID. */
  connections: ReadonlyMap<string, Connection>;
};

const owners = z.object({ users: z.array(z.string().min(1).max(200)).max(10) });

/**
 * Answers a call to the HTTP API: events, batch_events, channels, a channel, the end of a user's
 * connections. `POST sockets/<socket ID>/users` is this server's own: it records who authorised a connection.
 * https://pusher.com/docs/channels/library_auth_reference/rest-api/
 */
export function answerCall(call: Call, { channels, credentials, connections }: Context): ApiAnswer {
  const [, appId, resource] = /^\/apps\/([^/]+)\/(.+)$/.exec(call.url.pathname) ?? [];
  if (resource === undefined) return failure(404, "Path not found");
  if (appId !== credentials.appId) return failure(404, "Unknown application");
  const issue = requestIssue(credentials, call);
  if (issue !== null) return failure(401, issue);
  const [, kind, id = "", action] =
    /^(users|sockets)\/([^/]+)\/(terminate_connections|users)$/.exec(resource) ?? [];
  if (call.method === "POST" && kind === "users" && action === "terminate_connections")
    return terminate(decoded(id), connections);
  if (call.method === "POST" && kind === "sockets" && action === "users")
    return addUsers(connections.get(id), call.body);
  return call.method === "POST"
    ? publish(resource, call.body, channels)
    : inspect(resource, call.url, channels);
}

/** The client connects again at once, and each of its subscriptions needs a new authorisation. */
function terminate(user: string, connections: Context["connections"]): ApiAnswer {
  for (const connection of connections.values()) {
    if (connection.users.has(user)) connection.end(closeCodes.reconnect);
  }
  return { status: 200, body: {} };
}

/** A connection that has ended needs no record, because its socket ID never returns. */
function addUsers(connection: Connection | undefined, body: Buffer): ApiAnswer {
  const parsed = owners.safeParse(parseJson(body.toString()));
  if (!parsed.success) return failure(400, z.prettifyError(parsed.error));
  for (const user of parsed.data.users) connection?.users.add(user);
  return { status: 200, body: {} };
}

function publish(resource: string, body: Buffer, channels: Channels): ApiAnswer {
  const schema = resource === "events" ? singleEvent : resource === "batch_events" ? batch : null;
  if (schema === null) return failure(404, "Path not found");
  const parsed = schema.safeParse(parseJson(body.toString()));
  if (!parsed.success) return failure(400, z.prettifyError(parsed.error));
  const events =
    "batch" in parsed.data
      ? parsed.data.batch.map(({ channel, ...rest }) => ({ ...rest, channels: [channel] }))
      : [parsed.data];
  if (events.some(({ data }) => Buffer.byteLength(data) > limits.dataBytes)) {
    return failure(413, `The data of an event exceeds the limit of ${limits.dataBytes} bytes`);
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
  const requested = attribute.safeParse(url.searchParams.get("info") ?? undefined);
  if (!requested.success) return failure(400, z.prettifyError(requested.error));
  if (resource === "channels") {
    const prefix = url.searchParams.get("filter_by_prefix") ?? "";
    const names = channels.names().filter((name) => name.startsWith(prefix));
    const described = names.map((name) => [name, attributes(channels, name, requested.data)]);
    return { status: 200, body: { channels: Object.fromEntries(described) } };
  }
  const [, encoded] = /^channels\/([^/]+)$/.exec(resource) ?? [];
  if (encoded === undefined) return failure(404, "Path not found");
  const name = decoded(encoded);
  const issue = channelIssue(name);
  if (issue !== null) return failure(400, issue);
  const occupied = channels.subscriptionCount(name) > 0;
  return { status: 200, body: { occupied, ...attributes(channels, name, requested.data) } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // An incomplete %-escape. The name is invalid, because no channel name contains a %.
  }
}

function attributes(
  channels: Channels,
  name: string,
  requested: z.output<typeof attribute>,
): Record<string, unknown> {
  return requested === undefined ? {} : { [requested]: channels.subscriptionCount(name) };
}

const failure = (status: number, error: string): ApiAnswer => ({ status, body: { error } });
