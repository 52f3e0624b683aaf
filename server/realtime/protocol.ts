// The Pusher Channels protocol, version 7:
// https://pusher.com/docs/channels/library_auth_reference/pusher-websockets-protocol/

/** Close codes: after 40xx the client gives up, after 41xx it reconnects later, after 42xx at once. */
export const closeCodes = {
  unknownApp: { code: 4001, message: "Application does not exist" },
  unknownPath: { code: 4005, message: "Path not found" },
  invalidVersion: { code: 4006, message: "Invalid version string format" },
  unsupportedVersion: { code: 4007, message: "Unsupported protocol version" },
  missingVersion: { code: 4008, message: "No protocol version supplied" },
  overCapacity: { code: 4100, message: "Over capacity" },
  noSubscription: { code: 4101, message: "No subscription within the time limit" },
  reconnect: { code: 4200, message: "Generic reconnect immediately" },
  noPong: { code: 4201, message: "Pong reply not received" },
} as const;

export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

/** Error code for client events. */
export const clientEventRejected = 4301;

export const limits = {
  /** Size of an event's data, as the server libraries send it. */
  dataBytes: 10_240,
  channelsPerEvent: 100,
  eventsPerBatch: 10,
  /** Messages of any kind from one client. */
  messagesPerSecond: 100,
  connections: 10_000,
  /** Default for `REALTIME_CONNECTIONS_PER_ADDRESS`. */
  connectionsPerAddress: 1_000,
  /** Seconds that a client may stay connected without a subscription, which requires an authorisation. */
  subscribeSeconds: 30,
  channelsPerConnection: 200,
  /** Seconds that a client has to answer a ping. */
  pongSeconds: 30,
};

const channelName = /^[A-Za-z0-9_\-=@,.;]{1,200}$/;

/** Matches private channels other than cache channels. */
const privateChannel = /^private-(?!(encrypted-)?cache-)/;

/** Returns why the server rejects a channel name; null for a valid name. */
export function channelIssue(name: string): string | null {
  if (!channelName.test(name))
    return "Invalid channel name: use 1 to 200 characters of A-Z, a-z, 0-9 and _-=@,.;";
  if (!privateChannel.test(name))
    return "Unsupported channel type: start the name with private-, not with private-cache- or private-encrypted-cache-";
  return null;
}

/** Returns the text of a message from the server. Its data is JSON within JSON. */
export function serverMessage(event: string, data: unknown, channel?: string): string {
  return JSON.stringify({ event, ...(channel === undefined ? {} : { channel }), data: JSON.stringify(data) });
}

/** Parses JSON. Returns undefined for other text, which schemas reject. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
