import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { fromDrizzle, PgBoss, systemClock } from "pg-boss";
import postgres from "postgres";
import type { DatabaseConnection } from "#db/client";
import { inTime } from "#db/pool/in-time";
import { databaseConnection } from "#lib/platform/database/process-database";
import { logger } from "#lib/platform/log/logger";
import { perProcess } from "#lib/platform/process/per-process";
import { partOptions, queueOptions, senderOptions } from "./boss-options.ts";
import { partsQueue, queueNames } from "./catalogue.ts";

const jobSenders = perProcess("jobSenders", () => new WeakMap<DatabaseConnection, Promise<Sender>>());

/** Time limit of the start. Other processes may be creating the same tables. */
const startMs = 10_000;

type Sender = { boss: PgBoss; close(): Promise<void> };

/**
 * Returns this process's sender of jobs. The first call creates the tables and queues of pg-boss if they do not exist.
 * Its timers and idle connection keep no process alive.
 */
export async function jobSender(): Promise<PgBoss> {
  return (await sender()).boss;
}

/** Stops the sender of a database; by default of the current one. */
export async function closeJobSender(connection = databaseConnection()): Promise<void> {
  const open = jobSenders().get(connection);
  jobSenders().delete(connection);
  await (await open)?.close();
}

function sender(): Promise<Sender> {
  const connection = databaseConnection();
  const senders = jobSenders();
  let starting = senders.get(connection);
  if (starting === undefined) {
    starting = startSender(connection.url);
    senders.set(connection, starting);
    starting.catch(() => senders.delete(connection)); // The next caller retries.
  }
  return starting;
}

/** Key of an advisory lock: "boss" in ASCII. */
const queueTablesLock = 0x62_6f_73_73;

async function startSender(url: string): Promise<Sender> {
  // Uses a separate connection: callers may hold all connections of the pool while they wait for this start.
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
    // Two processes that create the tables of pg-boss at the same time would conflict.
    await client`select pg_advisory_lock(${queueTablesLock})`;
    await boss.start();
    for (const name of queueNames) await boss.createQueue(name, queueOptions);
    await boss.createQueue(partsQueue, partOptions);
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
