import { isCache, isPresence, serverMessage } from "#server/realtime/protocol";
import { EventCache } from "./event-cache.ts";

/** One who is present: several sockets may belong to the same `user_id`. */
export type Member = { user_id: string; user_info?: unknown };

export interface Subscriber {
  readonly socketId: string;
  /** Who it has signed in as. */
  readonly userId: string | null;
  /** Takes text in UTF-8, so that what goes to thousands is encoded once. */
  send(message: Buffer): void;
}

/** What a webhook tells of: https://pusher.com/docs/channels/server_api/webhooks/ */
export type ChannelEvent =
  | { name: "channel_occupied" | "channel_vacated" | "cache_miss"; channel: string }
  | { name: "member_added" | "member_removed"; channel: string; user_id: string }
  | {
      name: "client_event";
      channel: string;
      event: string;
      data: string;
      socket_id: string;
      user_id?: string;
    };

type Channel = {
  subscribers: Map<Subscriber, Member | null>;
  /** Who is present, in the order of arrival, with the number of their sockets. */
  present: Map<string, { member: Member; sockets: number }>;
};

/** Who listens to what. A channel exists while somebody listens to it. */
export class Channels {
  readonly #channels = new Map<string, Channel>();
  readonly #joined = new Map<Subscriber, Set<string>>();
  readonly #cache = new EventCache();
  readonly #tell: (event: ChannelEvent) => void;

  /** @param tell hears of channels that begin and end, of members, and of clients' own events */
  constructor(tell: (event: ChannelEvent) => void = () => {}) {
    this.#tell = tell;
  }

  names(): string[] {
    return [...this.#channels.keys()];
  }

  has(name: string, subscriber: Subscriber): boolean {
    return this.#joined.get(subscriber)?.has(name) ?? false;
  }

  joinedCount(subscriber: Subscriber): number {
    return this.#joined.get(subscriber)?.size ?? 0;
  }

  memberOf(name: string, subscriber: Subscriber): Member | null {
    return this.#channels.get(name)?.subscribers.get(subscriber) ?? null;
  }

  subscriptionCount(name: string): number {
    return this.#channels.get(name)?.subscribers.size ?? 0;
  }

  /** Each user once, in the order of arrival. */
  members(name: string): Member[] {
    return Array.from(this.#channels.get(name)?.present.values() ?? [], ({ member }) => member);
  }

  isPresent(name: string, userId: string): boolean {
    return this.#channels.get(name)?.present.has(userId) ?? false;
  }

  memberCount(name: string): number {
    return this.#channels.get(name)?.present.size ?? 0;
  }

  /** Adds a listener; on a presence channel the others are told of a user who was not there yet. */
  join(name: string, subscriber: Subscriber, member: Member | null): void {
    let channel = this.#channels.get(name);
    if (channel === undefined) {
      channel = { subscribers: new Map(), present: new Map() };
      this.#channels.set(name, channel);
      this.#tell({ name: "channel_occupied", channel: name });
    }
    channel.subscribers.set(subscriber, member);
    const joined = this.#joined.get(subscriber) ?? new Set();
    this.#joined.set(subscriber, joined.add(name));
    if (member === null) return;
    const present = channel.present.get(member.user_id);
    if (present) present.sockets++;
    else {
      channel.present.set(member.user_id, { member, sockets: 1 });
      this.broadcast(name, serverMessage("pusher_internal:member_added", member, name), subscriber.socketId);
      this.#tell({ name: "member_added", channel: name, user_id: member.user_id });
    }
  }

  /** Removes a listener; on a presence channel the others are told when it was the user's last one. */
  leave(name: string, subscriber: Subscriber): void {
    const channel = this.#channels.get(name);
    const member = channel?.subscribers.get(subscriber);
    if (!channel?.subscribers.delete(subscriber)) return;
    this.#joined.get(subscriber)?.delete(name);
    if (member && --channel.present.get(member.user_id)!.sockets === 0) {
      channel.present.delete(member.user_id);
      const left = { user_id: member.user_id };
      this.broadcast(name, serverMessage("pusher_internal:member_removed", left, name));
      this.#tell({ name: "member_removed", channel: name, ...left });
    }
    if (channel.subscribers.size > 0) return;
    this.#channels.delete(name);
    this.#tell({ name: "channel_vacated", channel: name });
  }

  leaveAll(subscriber: Subscriber): void {
    for (const name of this.#joined.get(subscriber) ?? []) this.leave(name, subscriber);
    this.#joined.delete(subscriber);
  }

  /** An event from the server's side, to all who listen and, on a cache channel, to who comes later. */
  publish(name: string, event: string, data: string, exceptSocketId?: string): void {
    if (isCache(name)) this.#cache.keep(name, { event, data });
    this.broadcast(name, JSON.stringify({ event, channel: name, data }), exceptSocketId);
  }

  /** What a cache channel was told last, and for how many more seconds it is known. */
  lastEvent(name: string): { event: string; data: string; ttl: number } | null {
    return this.#cache.find(name);
  }

  /** Tells one who has just come to a cache channel what it was told last, or that it is not known. */
  catchUp(name: string, subscriber: Subscriber): void {
    const last = this.lastEvent(name);
    if (last === null) this.#tell({ name: "cache_miss", channel: name });
    const message = last
      ? { event: last.event, channel: name, data: last.data }
      : { event: "pusher:cache_miss", channel: name };
    subscriber.send(Buffer.from(JSON.stringify(message)));
  }

  /** Sends to all who listen, but for the socket that the event came from. */
  broadcast(name: string, message: string, exceptSocketId?: string): void {
    const bytes = Buffer.from(message);
    for (const subscriber of this.#channels.get(name)?.subscribers.keys() ?? []) {
      if (subscriber.socketId !== exceptSocketId) subscriber.send(bytes);
    }
  }

  /** A client's own event, to the others on the channel; on a presence channel with its sender's id. */
  forward(name: string, event: string, data: unknown, sender: Subscriber): void {
    const member = isPresence(name) ? this.memberOf(name, sender) : null;
    const user = member ? { user_id: member.user_id } : {};
    this.broadcast(name, JSON.stringify({ event, channel: name, data, ...user }), sender.socketId);
    const text = typeof data === "string" ? data : JSON.stringify(data ?? null);
    this.#tell({
      name: "client_event",
      channel: name,
      event,
      data: text,
      socket_id: sender.socketId,
      ...user,
    });
  }
}
