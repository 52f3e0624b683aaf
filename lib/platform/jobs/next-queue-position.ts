import { type SQL, sql } from "drizzle-orm";
import { jobs } from "#db/schema/jobs";
import { type QueueName, typesOf } from "./catalogue.ts";

/**
 * The turn of a project's next job in a queue, which is emptied in the order of turns: one behind the project's last
 * waiting job, and one behind the latest turn that was begun for anybody. So each project has one job a turn, as often
 * as it has one waiting, and a job is never overtaken by more than one later job a project and turn (start-time fair
 * queueing; Goyal, Vin and Cheng 1996).
 */
export function nextTurn(projectId: string, queue: QueueName): SQL<number> {
  const last = (condition: SQL) => sql`(
    select max(last.turn) from unnest(array[${sql.join(
      typesOf(queue).map((type) => sql`${type}`),
      sql`, `,
    )}]) as asked(type),
      lateral (select turn from ${jobs} where type = asked.type and ${condition} order by turn desc limit 1) as last)`;
  const waiting = last(sql`project_id = ${projectId} and status = 'Pending'`);
  return sql<number>`coalesce(greatest(${waiting}, ${last(sql`attempt > 0`)}), 0) + 1`;
}
