import { sql } from "drizzle-orm";
import { fromDrizzle } from "pg-boss";
import type { Transaction } from "#db/client";
import { catalogue } from "./catalogue.ts";
import type { JobRow } from "./job-run.ts";
import { jobSender } from "./job-sender.ts";

/** Sends a recorded job to pg-boss in the caller's transaction. The commit delivers it within milliseconds. */
export async function deliverJob(
  tx: Transaction,
  { id, type, projectId, queuePosition }: Pick<JobRow, "id" | "type" | "projectId" | "queuePosition">,
): Promise<void> {
  const boss = await jobSender();
  const place = { priority: -queuePosition, group: { id: projectId } };
  await boss.send(catalogue[type].queue, { jobId: id }, { id, ...place, db: fromDrizzle(tx, sql) });
}
