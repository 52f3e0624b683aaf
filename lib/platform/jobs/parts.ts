// A training of many series is one job, whose series are fitted in parts. Each fit of a part is a delivery of the queue `parts`,
// with the same heartbeats as those of jobs. So any worker takes it, and after a worker's end another one takes it within
// seconds. No table of parts exists: their rows in pg-boss are kept until the job ends, and the next attempt finds them by
// their IDs, which are hashes of the job and the input.
//
// Example: a training has six fits. Worker A, which runs the job, has completed two of them, and is killed during a third. Worker
// B has completed one. After ten seconds B takes the job and the interrupted fit. The new attempt adds the same parts: three are
// found complete, and only the other three are fitted.
//
// One job for each part would be simpler, but users would see 80 jobs for a training of 10,000 series.

import { sql } from "drizzle-orm";
import { fromDrizzle } from "pg-boss";
import type { Database, Transaction } from "#db/client";
import { orphanedArtifacts } from "#db/schema/artifacts";
import { bossSchema } from "./boss-options.ts";
import { partsQueue } from "./catalogue.ts";
import type { JobRow } from "./job-run.ts";
import { jobSender } from "./job-sender.ts";

type Owner = Pick<JobRow, "id" | "projectId">;

/** One fit of a part. `version`: that of the fits, which the worker must have too. */
export type Part = { jobId: string; projectId: string; inputKey: string; fit: number; version: number };

/** Folder of a fit's file; null if the worker made none. */
export type PartOutput = { key: string } | null;

const deliveries = sql`${sql.identifier(bossSchema)}.job`;

/** Returns the key of a folder of a job's parts. The job's end deletes all of them. */
export function partKey(job: Owner, name: string): string {
  return `${keysOf(job)}${name}`;
}

/** Returns the start of the keys of a job's parts. */
const keysOf = ({ id, projectId }: Owner) => `projects/${projectId}/parts/${id}-`;

/**
 * Sends parts to pg-boss, except those that it knows. Projects alternate: the n-th part of a project starts after at most
 * n parts of each other project, as in `nextQueuePosition`.
 */
export async function sendParts(
  tx: Transaction,
  parts: readonly { id: string; part: Part }[],
): Promise<void> {
  const [last] = await tx.execute<{ position: number }>(sql`
    select coalesce(max(-priority), 0)::int as position from ${deliveries}
    where name = ${partsQueue} and state <> 'created'`);
  const sent = parts.map(({ id, part }, at) => ({
    id,
    data: part,
    priority: -(last!.position + at + 1),
    group: { id: part.projectId },
  }));
  await (await jobSender()).insert(partsQueue, sent, { db: fromDrizzle(tx, sql) });
}

/** Returns the state of a part in pg-boss and the folder of its fit; null if pg-boss does not know it. */
export async function findPart(
  db: Database,
  id: string,
): Promise<{ state: string; key: string | null } | null> {
  const [found] = await db.execute<{ state: string; key: string | null }>(sql`
    select state, output ->> 'key' as key from ${deliveries} where name = ${partsQueue} and id = ${id}`);
  return found ?? null;
}

/** Takes a part from the queue that no worker has begun. Returns whether it was there. */
export async function takePart(db: Database, id: string): Promise<boolean> {
  const taken = await db.execute(sql`
    delete from ${deliveries} where name = ${partsQueue} and id = ${id} and state in ('created', 'retry') returning id`);
  return taken.length > 0;
}

/** Deletes a job's parts and their files, in the transaction that ends the job. */
export async function dropParts(tx: Transaction, job: Owner): Promise<void> {
  await tx.execute(
    sql`delete from ${deliveries} where name = ${partsQueue} and data ->> 'jobId' = ${job.id}`,
  );
  await tx
    .update(orphanedArtifacts)
    .set({ dueAt: sql`now()` })
    .where(sql`starts_with(${orphanedArtifacts.key}, ${keysOf(job)})`);
}
