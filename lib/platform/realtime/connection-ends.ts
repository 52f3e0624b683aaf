import { inArray, lt, lte, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { connectionEnds } from "#db/schema/access";
import type { Actor } from "#lib/platform/context/context";
import { logger } from "#lib/platform/log/logger";
import { ChannelError } from "./channel-error.ts";
import type { EventChannel } from "./event-channel.ts";
import { outboxChannel } from "./publish-event.ts";

const endsAtOnce = 10;

/** Names in the channel server under which connections are ended. */
export const connectionUser = {
  key: (apiKeyId: string) => `key-${apiKeyId}`,
  user: (userId: string) => `user-${userId}`,
  project: (projectId: string) => `project-${projectId}`,
  of: (actor: Actor) => (actor.kind === "api-key" ? `key-${actor.apiKeyId}` : `user-${actor.userId}`),
};

/**
 * Ends the realtime connections of a user of the channel server, in the caller's transaction. After the commit, or at
 * the given time, the worker's relay sends the end, again after each crash or outage.
 *
 * @param userName from `connectionUser`
 */
export async function endConnections(
  tx: Transaction,
  userName: string,
  dueAt: Date | null = null,
): Promise<void> {
  await tx.insert(connectionEnds).values({ userName, dueAt: dueAt ?? sql`now()` });
  if (dueAt === null) await tx.execute(sql`select pg_notify(${outboxChannel}, '')`);
}

/**
 * Sends the ends that are due. Several workers share them, because their order does not matter. A server that answers
 * other calls but rejects this one does not support it: the end is dropped with a log line.
 *
 * @returns the number of settled ends
 * @throws {ChannelError} if the channel does not respond; the ends stay in the database
 */
export async function relayConnectionEnds(db: Database, channel: EventChannel): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local idle_in_transaction_session_timeout = '60s'`);
    const due = await tx
      .select()
      .from(connectionEnds)
      .where(lte(connectionEnds.dueAt, sql`now()`))
      .orderBy(connectionEnds.dueAt)
      .limit(endsAtOnce)
      .for("update", { skipLocked: true });
    const sent = await Promise.allSettled(due.map(({ userName }) => sendEnd(channel, userName)));
    const settled = due.filter((_, index) => sent[index]?.status === "fulfilled").map(({ id }) => id);
    if (settled.length > 0) await tx.delete(connectionEnds).where(inArray(connectionEnds.id, settled));
    const failed = sent.find((result) => result.status === "rejected");
    if (failed !== undefined && settled.length === 0) throw failed.reason;
    return settled.length;
  });
}

async function sendEnd(channel: EventChannel, userName: string): Promise<void> {
  try {
    await channel.endConnections(userName);
  } catch (error) {
    if (!(error instanceof ChannelError && error.isAnswer)) throw error;
    await channel.greet();
    logger().warn({ err: error, userName }, "the realtime channel cannot end a user's connections");
  }
}

/** Deletes ends that have waited for a channel for a day. No connection outlives its server's outage. */
export async function forgetConnectionEnds(db: Database): Promise<void> {
  await db.delete(connectionEnds).where(lt(connectionEnds.dueAt, sql`now() - interval '1 day'`));
}
