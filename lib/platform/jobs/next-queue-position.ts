import { type SQL, sql } from "drizzle-orm";
import { jobs } from "#db/schema/jobs";
import { type QueueName, typesOf } from "./catalogue.ts";

/**
 * Returns the position of a project's next job in a queue. It lies behind the project's last waiting job, and behind the
 * last job of any project that has started. Lower positions start first, so projects alternate: the n-th waiting job
 * of a project starts after at most n jobs of each other project (start-time fair queueing; Goyal, Vin and Cheng 1996).
 */
export function nextQueuePosition(projectId: string, queue: QueueName): SQL<number> {
  const last = (condition: SQL) => sql`(
    select max(last.queue_position) from unnest(array[${sql.join(
      typesOf(queue).map((type) => sql`${type}`),
      sql`, `,
    )}]) as asked(type),
      lateral (
        select queue_position from ${jobs} where type = asked.type and ${condition} order by queue_position desc limit 1
      ) as last)`;
  const waiting = last(sql`project_id = ${projectId} and status = 'Pending'`);
  return sql<number>`coalesce(greatest(${waiting}, ${last(sql`attempt > 0`)}), 0) + 1`;
}
