import { and, eq, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { projects } from "#db/schema/projects";
import { Leases, outlast, ValueLease } from "#lib/platform/concurrency/leases";
import { perDatabase } from "#lib/platform/database/per-database";
import { DomainError } from "#lib/platform/errors/domain-error";
import { type ServingModel, selectServing, servingOf } from "./serving-model.ts";

/** Long enough for several predictions, short enough that the wait before a change is not noticeable. */
const leaseMs = 25;

/** Duration of an announcement, and the part of it that must be left when the change is made. */
const announcedSeconds = 60;
const leftSeconds = 30;

const servingOver = perDatabase("serving leases", (db) => ({
  leases: new Leases<ServingModel | null>(),
  query: selectServing(db, sql.placeholder("projectId")).prepare("serving"),
}));

/** Returns the serving model. Uses a lease unless a change is announced. */
export async function leasedServingModel(db: Database, projectId: string): Promise<ServingModel | null> {
  const { leases, query } = servingOver(db);
  return leases.use(projectId, async ({ requestedMs }) => {
    const [row] = await query.execute({ projectId });
    const value = row === undefined ? null : servingOf(row);
    const isLeased = value !== null && row?.mayChange === false;
    return new ValueLease(value, requestedMs, isLeased ? leaseMs : 0);
  });
}

/**
 * Announces for one minute that the serving model may change. Then waits until all earlier leases have ended.
 * Until the minute is over, no process takes another lease. Each transaction that changes the serving model follows an
 * announcement and calls `requireServingChangeAnnounced`, by `moveDefault` or `saveModel`.
 *
 * So each query for the serving model falls into one of three phases. Before the announcement, it gets a lease that ends before the
 * change. After the announcement, it gets no lease. After the change, it returns the new model. A caller who can see a change
 * never gets predictions of the former model.
 *
 * @param requireCurrentAttempt throws if the change must not be made any more; nothing is announced then
 */
export async function announceServingChange(
  db: Database,
  projectId: string,
  requireCurrentAttempt?: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(projects)
      .set({ servingChangesUntil: sql`clock_timestamp() + ${announcedSeconds} * interval '1 second'` })
      .where(eq(projects.id, projectId));
    await requireCurrentAttempt?.(tx);
  });
  await outlast(leaseMs);
}

/** @throws {DomainError} service_unavailable if the transaction waited for locks until too little of the announcement is left */
export async function requireServingChangeAnnounced(tx: Transaction, projectId: string): Promise<void> {
  const left = sql`${projects.servingChangesUntil} > clock_timestamp() + ${leftSeconds} * interval '1 second'`;
  const [announced] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, projectId), left));
  if (announced === undefined) {
    const message = "The change waited too long for other requests. Try again.";
    throw new DomainError("service_unavailable", message, { retryAfterSeconds: 1, lacks: "capacity" });
  }
}
