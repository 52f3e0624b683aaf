import type { Database } from "#db/client";
import { Leases } from "#lib/platform/concurrency/leases";
import { perDatabase } from "#lib/platform/database/per-database";
import { CallLease, Demand } from "./call-lease.ts";
import { takeCalls } from "./count-call.ts";
import { cost, type Rate, type Verdict } from "./rate.ts";

/** Time span for which a process takes calls in advance. */
const aheadMs = 50;

const leasesOf = perDatabase("call leases", () => new Leases<Verdict, CallLease>());

/**
 * Counts calls across all processes as `countCall` does, with fewer statements: calls that arrive during a statement share
 * the next one. Takes some calls in advance if calls arrive fast and far below the limit. Never exceeds the limit. A limit
 * of 100 calls at once or fewer is reached to the last call.
 */
export async function countLeasedCall(db: Database, subject: string, rate: Rate): Promise<Verdict> {
  return leasesOf(db).use(subject, async ({ requestedMs, waiting, previous }) => {
    const demand = previous?.demand ?? new Demand(requestedMs);
    demand.count(waiting);
    const likely = demand.expect(aheadMs, requestedMs);
    const lasting = Math.ceil(aheadMs / 1000 / cost(rate));
    const grant = await takeCalls(db, subject, rate, { waiting, likely, lasting });
    // Callers wait only if the previous lease is used up.
    return new CallLease(rate, grant, requestedMs, demand, waiting === 0 ? previous : null);
  });
}
