import { serverMessage } from "./protocol.ts";

/** One who is present: several sockets may belong to the same `user_id`. */
export type Member = { user_id: string; user_info?: unknown };

export interface Subscriber {
  readonly socketId: string;
  send(message: string): void;
}

/** Who listens to what. A channel exists while somebody listens to it. */
export class Channels {
  readonly #channels = new Map<string, Map<Subscriber, Member | null>>();

  names(): string[] {
    return [...this.#channels.keys()];
  }

  has(name: string, subscriber: Subscriber): boolean {
    return this.#channels.get(name)?.has(subscriber) ?? false;
  }

  memberOf(name: string, subscriber: Subscriber): Member | null {
    return this.#channels.get(name)?.get(subscriber) ?? null;
  }

  subscriptionCount(name: string): number {
    return this.#channels.get(name)?.size ?? 0;
  }

  /** Each user once, in the order of arrival. */
  members(name: string): Map<string, Member> {
    const members = new Map<string, Member>();
    for (const member of this.#channels.get(name)?.values() ?? []) {
      if (member && !members.has(member.user_id)) members.set(member.user_id, member);
    }
    return members;
  }

  /** Adds a listener; on a presence channel the others are told of a user who was not there yet. */
  join(name: string, subscriber: Subscriber, member: Member | null): void {
    const isNew = member !== null && !this.members(name).has(member.user_id);
    const subscribers = this.#channels.get(name) ?? new Map<Subscriber, Member | null>();
    this.#channels.set(name, subscribers.set(subscriber, member));
    if (isNew)
      this.broadcast(name, serverMessage("pusher_internal:member_added", member, name), subscriber.socketId);
  }

  /** Removes a listener; on a presence channel the others are told when it was the user's last one. */
  leave(name: string, subscriber: Subscriber): void {
    const subscribers = this.#channels.get(name);
    const member = subscribers?.get(subscriber);
    if (!subscribers?.delete(subscriber)) return;
    if (subscribers.size === 0) this.#channels.delete(name);
    if (!member || this.members(name).has(member.user_id)) return;
    this.broadcast(name, serverMessage("pusher_internal:member_removed", { user_id: member.user_id }, name));
  }

  leaveAll(subscriber: Subscriber): void {
    for (const name of this.names()) this.leave(name, subscriber);
  }

  /** Sends to all who listen, but for the socket that the event came from. */
  broadcast(name: string, message: string, exceptSocketId?: string): void {
    for (const subscriber of this.#channels.get(name)?.keys() ?? []) {
      if (subscriber.socketId !== exceptSocketId) subscriber.send(message);
    }
  }
}
