import { sql } from "drizzle-orm";
import type { Database } from "#db/client";

type BossConnection = { connectionString: string; ssl?: false | { rejectUnauthorized: boolean } };

/** As our own driver reads them, as libpq does: what they ask for is encryption, not a certificate that is known. */
const uncheckedModes = ["allow", "prefer", "require"];

/**
 * How a worker's pg-boss, which has a driver of its own, reaches the database of an address as everything else does: that
 * driver takes each `sslmode` but `disable` for `verify-full`, and would not connect where the others do.
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
