import { sql } from "drizzle-orm";
import { PgBoss } from "pg-boss";
import type { Database, DatabaseConnection } from "#db/client";
import { listen } from "#db/listen";
import { logger } from "#lib/platform/log/logger";
import { workerOptions } from "./boss-options.ts";

type BossConnection = { connectionString: string; ssl?: false | { rejectUnauthorized: boolean } };

/** Values of `sslmode` without a certificate check, as in libpq and the service's own driver. */
const uncheckedModes = ["allow", "prefer", "require"];

/**
 * Returns pg-boss for a worker, not started.
 *
 * It listens on a connection of the service's driver. The listening connection of pg-boss has no error handlers while it
 * closes. If the server ended its session at that moment, at a stop or a failover, the error would end the process.
 */
export async function workerBoss({ db, url }: Pick<DatabaseConnection, "db" | "url">): Promise<PgBoss> {
  const boss = new PgBoss({ ...workerOptions, ...(await bossConnection(db, url)) });
  boss.on("error", (err) => logger().warn({ err }, "pg-boss reports an error"));
  boss.getDb().listen = async (channel, onNotification, onReconnect) => {
    const end = listen(url, channel, (payload) =>
      payload === null ? onReconnect() : onNotification(payload),
    );
    return { close: async () => end() };
  };
  return boss;
}

/**
 * Returns the connection options for a worker's pg-boss, which has its own driver. That driver treats each `sslmode`
 * except `disable` as `verify-full`, and could not connect where the rest of the service can.
 *
 * @param db connected to that address
 */
export async function bossConnection(db: Database, url: string): Promise<BossConnection> {
  const address = new URL(url);
  const mode = address.searchParams.get("sslmode");
  if (mode === null) return { connectionString: url };
  address.searchParams.delete("sslmode");
  const connectionString = address.href;
  if (mode === "disable" || (mode === "prefer" && !(await isEncrypted(db))))
    return { connectionString, ssl: false };
  return { connectionString, ssl: { rejectUnauthorized: !uncheckedModes.includes(mode) } };
}

async function isEncrypted(db: Database): Promise<boolean> {
  const [row] = await db.execute<{ ssl: boolean }>(
    sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`,
  );
  return row?.ssl === true;
}
