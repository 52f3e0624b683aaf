import type { Database } from "#db/client";
import { environment } from "#lib/platform/config/environment";
import { perProcess } from "#lib/platform/process/per-process";
import { countCall } from "./count-call.ts";
import { MemoryRate } from "./memory-rate.ts";
import type { Rate, Verdict } from "./rate.ts";

const failures = perProcess("failuresOfProcess", () => new MemoryRate(10_000));

export function failureRate(): Rate {
  const { authFailuresPerMinute } = environment();
  return { perMinute: authFailuresPerMinute, burst: authFailuresPerMinute };
}

export const failureSubject = (address: string) => `failures:${address}`;

/**
 * Counts a failed authentication of an address.
 *
 * @param db null: the credential was rejected without the database, so the failure counts in this process only
 */
export async function countFailure(db: Database | null, address: string): Promise<Verdict> {
  const here = failures().count(address, failureRate());
  if (db === null || !here.allowed) return here;
  const everywhere = await countCall(db, failureSubject(address), failureRate());
  if (!everywhere.allowed) failures().uncount(address, failureRate());
  return everywhere;
}
