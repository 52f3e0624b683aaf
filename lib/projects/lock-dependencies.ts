import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client";

/** Any number that nothing else locks; it spells "deps" in ASCII. */
const dependencyLock = 0x64_65_70_73;

/**
 * Lets one transaction at a time change who depends on whom: two that each are free of cycles could close one together,
 * and a project could be deleted while another begins to use it.
 */
export async function lockDependencies(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${dependencyLock})`);
}
