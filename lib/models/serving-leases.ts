import { setTimeout as delay } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { projects } from "#db/schema/projects";
import { DomainError } from "#lib/errors/domain-error";
import { AskedTogether } from "#lib/turns/asked-together";
import { type ServingModel, selectServing, servingOf } from "./serving-model.ts";

/** How long a process takes what serves a project for known: some predictions, and so short that nobody notices a wait for it. */
const leaseMs = 5;
/** Timers may fire a little early, and clocks of two machines do not run at quite the same speed. */
const spareMs = 3;
const mostLeases = 10_000;

/** How long a change may take from its announcement on, and how much of it has to be left when it is made. */
const announcedSeconds = 60;
const leftSeconds = 30;

type Lease = { model: ServingModel; untilMs: number };
type Leases = {
  held: Map<string, Lease>;
  asked: AskedTogether<ServingModel | null>;
  look: ReturnType<typeof prepareLook>;
};

const prepareLook = (db: Database) => selectServing(db, sql.placeholder("projectId")).prepare("serving");

const shared = globalThis as typeof globalThis & { servingLeases?: WeakMap<Database, Leases> };

/**
 * As `servingModel`, from memory where the process has asked the database in the last milliseconds and no change was
 * announced then. A lease counts from before the database was asked. So whoever sees a change, in whatever way, gets
 * predictions of what serves since (docs/decisions/0104-leases-of-what-serves.md).
 */
export async function leasedServingModel(db: Database, projectId: string): Promise<ServingModel | null> {
  const { held, asked, look } = leasesOf(db);
  const lease = held.get(projectId);
  if (lease !== undefined && performance.now() < lease.untilMs) return lease.model;
  return asked.ask(projectId, async () => {
    const untilMs = performance.now() + leaseMs;
    held.delete(projectId);
    const [found] = await look.execute({ projectId });
    const model = found === undefined ? null : servingOf(found);
    if (model !== null && found?.mayChange === false) keep(held, projectId, { model, untilMs });
    return model;
  });
}

/**
 * Ends all leases of a project and lets nobody take one for a minute. To be awaited before each transaction in which
 * another model comes to serve, which has to see to it that the announcement still holds (`requireAnnounced`).
 */
export async function announceServingChange(db: Database, projectId: string): Promise<void> {
  await db
    .update(projects)
    .set({ servingChangesUntil: sql`clock_timestamp() + ${announcedSeconds} * interval '1 second'` })
    .where(eq(projects.id, projectId));
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

function leasesOf(db: Database): Leases {
  shared.servingLeases ??= new WeakMap();
  let leases = shared.servingLeases.get(db);
  if (leases === undefined) {
    leases = { held: new Map(), asked: new AskedTogether(), look: prepareLook(db) };
    shared.servingLeases.set(db, leases);
  }
  return leases;
}

function keep(held: Map<string, Lease>, projectId: string, lease: Lease): void {
  held.set(projectId, lease);
  if (held.size > mostLeases) held.delete(held.keys().next().value!);
}
