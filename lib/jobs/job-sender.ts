import { sql } from "drizzle-orm";
import { fromDrizzle, PgBoss, systemClock } from "pg-boss";
import { type Database, database } from "#db/client";
import { log } from "#lib/logging/log";
import { queueOptions, senderOptions } from "./boss-options.ts";
import { queueNames } from "./catalogue.ts";

const shared = globalThis as typeof globalThis & { jobSenders?: WeakMap<Database, Promise<PgBoss>> };

/**
 * This process's way to hand jobs to pg-boss. It works on the process's own pool, so it needs no connections of its own,
 * and its timers keep no process alive. The first call makes pg-boss' tables and queues where they do not exist.
 */
export function jobSender(): Promise<PgBoss> {
  const db = database();
  shared.jobSenders ??= new WeakMap();
  let sender = shared.jobSenders.get(db);
  if (sender === undefined) {
    sender = startSender(db);
    shared.jobSenders.set(db, sender);
    sender.catch(() => shared.jobSenders?.delete(db)); // The next caller tries again.
  }
  return sender;
}

async function startSender(db: Database): Promise<PgBoss> {
  const boss = new PgBoss({
    ...senderOptions,
    db: fromDrizzle(db, sql),
    clock: {
      ...systemClock,
      setTimeout: (run, ms) => setTimeout(run, ms).unref(),
      setInterval: (run, ms) => setInterval(run, ms).unref(),
    },
  });
  boss.on("error", (error) => log().warn({ err: error }, "pg-boss"));
  await boss.start();
  for (const name of queueNames) await boss.createQueue(name, queueOptions);
  return boss;
}
