import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client";

/** Any number that nothing else locks; it spells "user" in ASCII. */
const memberLock = 0x75_73_65_72;

/** Lets one transaction at a time decide who is there: of two setups one is first, of two admins one remains. */
export async function lockMembers(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${memberLock})`);
}
