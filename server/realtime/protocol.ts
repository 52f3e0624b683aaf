// The Pusher Channels protocol, version 7:
// https://pusher.com/docs/channels/library_auth_reference/pusher-websockets-protocol/

/** Codes that close a connection: 40xx tell the client to give up, 41xx to come back later, 42xx at once. */
export const closeCodes = {
  unknownApp: { code: 4001, message: "Application does not exist" },
  unknownPath: { code: 4005, message: "Path not found" },
  invalidVersion: { code: 4006, message: "Invalid version string format" },
  unsupportedVersion: { code: 4007, message: "Unsupported protocol version" },
  missingVersion: { code: 4008, message: "No protocol version supplied" },
  unauthorized: { code: 4009, message: "Connection is unauthorized" },
  overCapacity: { code: 4100, message: "Over capacity" },
  reconnect: { code: 4200, message: "Generic reconnect immediately" },
  noPong: { code: 4201, message: "Pong reply not received" },
} as const;

export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

export const clientEventRejected = 4301;

export const limits = {
  /** Of an event's data, as the server libraries send it. */
  dataBytes: 10_240,
  channelsPerEvent: 100,
  eventsPerBatch: 10,
  clientEventsPerSecond: 10,
  /** Of any kind, of one client. */
  messagesPerSecond: 100,
  connections: 10_000,
  channelsPerConnection: 200,
  presenceMembers: 100,
  userIdCharacters: 128,
  userInfoBytes: 1_024,
  /** The server keeps silent about a quiet client for that long after it has pinged it. */
  pongSeconds: 30,
};

const channelName = /^[A-Za-z0-9_\-=@,.;]{1,200}$/;

/** What a signed-in user hears, on whichever connection. */
const userChannel = /^#server-to-user-(.{1,128})$/;

export const isChannelName = (name: string): boolean => channelName.test(name) || userChannel.test(name);
/** The user whose channel it is; null: it is not a user's. */
export const userOf = (channel: string): string | null => userChannel.exec(channel)?.[1] ?? null;
export const isCache = (channel: string): boolean =>
  /^((private|private-encrypted|presence)-)?cache-/.test(channel);
export const isEncrypted = (channel: string): boolean => channel.startsWith("private-encrypted-");
export const isPresence = (channel: string): boolean => channel.startsWith("presence-");
export const needsAuthorisation = (channel: string): boolean =>
  channel.startsWith("private-") || isPresence(channel);

/** A message from the server: its data is JSON within JSON. */
export function serverMessage(event: string, data: unknown, channel?: string): string {
  return JSON.stringify({ event, ...(channel === undefined ? {} : { channel }), data: JSON.stringify(data) });
}
