import { setTimeout as delay } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { projects } from "#db/schema/projects";
import { type ServingModel, selectServing, servingOf } from "#lib/domain/models/serving-model";
import { DomainError } from "#lib/platform/errors/domain-error";
import { type Found, Leases } from "#lib/turns/leases";

/** How long a process takes what serves a project for known: some predictions, and so short that nobody notices a wait for it. */
const leaseMs = 25;
/** Timers may fire a little early, and clocks of two machines do not run at quite the same speed. */
const spareMs = 3;

/** How long a change may take from its announcement on, and how much of it has to be left when it is made. */
const announcedSeconds = 60;
const leftSeconds = 30;

type Look = ReturnType<typeof prepareLook>;
type ServingLeases = { leases: Leases<ServingModel | null>; look: Look };

const prepareLook = (db: Database) => selectServing(db, sql.placeholder("projectId")).prepare("serving");

const shared = globalThis as typeof globalThis & { servingLeases?: WeakMap<Database, ServingLeases> };

/**
 * As `servingModel`, from memory where the process has asked the database in the last milliseconds and no change was
 * announced then. A lease counts from before the database was asked. So whoever sees a change, in whatever way, gets
 * predictions of what serves since (docs/decisions/0104-serving-model-leases.md).
 */
export async function leasedServingModel(db: Database, projectId: string): Promise<ServingModel | null> {
  const { leases, look } = leasesOf(db);
  return leases.find(projectId, () => lookFor(look, projectId));
}

async function lookFor(look: Look, projectId: string): Promise<Found<ServingModel | null>> {
  const [found] = await look.execute({ projectId });
  const value = found === undefined ? null : servingOf(found);
  return { value, lastsMs: value !== null && found?.mayChange === false ? leaseMs : 0 };
}

/**
 * Ends all leases of a project and lets nobody take one for a minute. To be awaited before each transaction in which
 * another model comes to serve, which has to see to it that the announcement still holds (`requireAnnounced`).
 *
 * @param hold throws where the change must not come any more: then nothing is announced either
 */
export async function announceServingChange(
  db: Database,
  projectId: string,
  hold?: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(projects)
      .set({ servingChangesUntil: sql`clock_timestamp() + ${announcedSeconds} * interval '1 second'` })
      .where(eq(projects.id, projectId));
    await hold?.(tx);
  });
  await delay(leaseMs + spareMs);
}

/** @throws {DomainError} `service_unavailable` where locks were waited for so long that the announcement ends soon */
export async function requireAnnounced(tx: Transaction, projectId: string): Promise<void> {
  const left = sql`${projects.servingChangesUntil} > clock_timestamp() + ${leftSeconds} * interval '1 second'`;
  const [announced] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, projectId), left));
  if (announced === undefined) {
    throw new DomainError("service_unavailable", "The change waited too long for others: try again.");
  }
}

function leasesOf(db: Database): ServingLeases {
  shared.servingLeases ??= new WeakMap();
  let leases = shared.servingLeases.get(db);
  if (leases === undefined) {
    leases = { leases: new Leases(), look: prepareLook(db) };
    shared.servingLeases.set(db, leases);
  }
  return leases;
}
