import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { fromDrizzle, PgBoss, systemClock } from "pg-boss";
import postgres from "postgres";
import { type DatabaseConnection, databaseConnection } from "#db/client";
import { inTime } from "#db/pool/in-time";
import { logger } from "#lib/platform/log/logger";
import { queueOptions, senderOptions } from "./boss-options.ts";
import { queueNames } from "./catalogue.ts";

const shared = globalThis as typeof globalThis & {
  jobSenders?: WeakMap<DatabaseConnection, Promise<Sender>>;
};

/** Other processes may be making the same tables. */
const startMs = 10_000;

type Sender = { boss: PgBoss; close(): Promise<void> };

/**
 * This process's way to hand jobs to pg-boss. The first call makes pg-boss' tables and queues where they do not exist.
 * Its timers and its idle connection keep no process alive.
 */
export async function jobSender(): Promise<PgBoss> {
  return (await sender()).boss;
}

/** Ends what `jobSender` has begun for the present database. */
export async function closeJobSender(): Promise<void> {
  const connection = databaseConnection();
  const open = shared.jobSenders?.get(connection);
  shared.jobSenders?.delete(connection);
  await (await open)?.close();
}

function sender(): Promise<Sender> {
  const connection = databaseConnection();
  shared.jobSenders ??= new WeakMap();
  const senders = shared.jobSenders;
  let starting = senders.get(connection);
  if (starting === undefined) {
    starting = startSender(connection.url);
    senders.set(connection, starting);
    starting.catch(() => senders.delete(connection)); // The next caller tries again.
  }
  return starting;
}

/** Any number that nothing else locks; it spells "boss" in ASCII. */
const queueTablesLock = 0x62_6f_73_73;

async function startSender(url: string): Promise<Sender> {
  // A connection of its own: callers hold the pool's in their transactions while they wait for this.
  const client = postgres(url, {
    max: 1,
    connect_timeout: 5,
    fetch_types: false,
    idle_timeout: 5,
    onnotice: () => {},
  });
  const boss = new PgBoss({
    ...senderOptions,
    db: fromDrizzle(drizzle({ client }), sql),
    clock: {
      ...systemClock,
      setTimeout: (run, ms) => setTimeout(run, ms).unref(),
      setInterval: (run, ms) => setInterval(run, ms).unref(),
    },
  });
  boss.on("error", (err) => logger().warn({ err }, "pg-boss reports an error"));
  const close = async () => {
    await boss.stop({ graceful: false });
    await client.end({ timeout: 5 });
  };
  const start = async () => {
    // Two processes that make pg-boss' tables at once would fail on each other's.
    await client`select pg_advisory_lock(${queueTablesLock})`;
    await boss.start();
    for (const name of queueNames) await boss.createQueue(name, queueOptions);
    await client`select pg_advisory_unlock(${queueTablesLock})`;
  };
  try {
    await inTime(start(), startMs);
  } catch (error) {
    await close();
    throw error;
  }
  return { boss, close };
}
