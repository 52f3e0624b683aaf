import type { ConstructorOptions, QueueOptions, WorkConcurrencyOptions } from "pg-boss";
import type { partsQueue, QueueName } from "./catalogue.ts";

// pg-boss delivers jobs at least once. Its options decide how soon a job of a dead worker runs again; how often it may run is
// decided by our own counts (`attempts.ts`).
//
// For example, a worker dies at 12:00:00, and its last heartbeat was at 11:59:58. At 12:00:08 the heartbeat is ten seconds old,
// so within a second a worker that supervises the queue counts the job as lost. It is delivered again one to five seconds
// later: the delay grows with each retry, from 1 s to at most 5 s.
//
// Waiting until a job expires would need no heartbeats, but a training may take four hours, and so could its restart. A retry
// limit of three in pg-boss would end a job after three deployments, because pg-boss cannot know why a worker ended.

/** Schema of the tables of pg-boss. */
export const bossSchema = "pgboss";

/**
 * Delivery options of a job. Ten seconds is the shortest heartbeat that pg-boss allows. `retryLimit` and `expireInSeconds` are
 * out of reach: the service counts attempts itself (`maxAttempts`), and limits their time (`catalogue`).
 */
export const queueOptions = {
  notify: true,
  heartbeatSeconds: 10,
  expireInSeconds: 6 * 3_600,
  retryLimit: 1_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 5,
  deleteAfterSeconds: 86_400,
} as const satisfies QueueOptions & { notify: boolean };

/**
 * Delivery options of a part. After one retry, the training fits the part itself, so that attempts are counted, and so that a
 * part that ends its process does not end further workers.
 */
export const partOptions = { ...queueOptions, retryLimit: 1 } as const;

/** Options of a sender: no maintenance, no schedules, no listening. */
export const senderOptions = {
  schema: bossSchema,
  supervise: false,
  schedule: false,
} as const satisfies ConstructorOptions;

/** Options of a worker. It checks every second for jobs of dead workers, and closes connections that do not respond. */
export const workerOptions = {
  max: 5,
  connectionTimeoutMillis: 5_000,
  query_timeout: 15_000,
  schema: bossSchema,
  schedule: false,
  useListenNotify: true,
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
} as const satisfies ConstructorOptions & { query_timeout: number };

/**
 * Returns the fetch options of a queue. Long jobs of a project run one at a time across all workers, because each may
 * replace the current model. So long jobs of one project occupy at most one worker. Exception: two fetches within a
 * millisecond may each start one. Short jobs of a project leave one slot of each worker to other projects: otherwise
 * four long scenarios would make all others wait. Parts of a training do so, too.
 *
 * @param slots number of jobs of the queue that the worker runs at a time
 */
export function fetchOptions(queue: QueueName | typeof partsQueue, slots: number): WorkConcurrencyOptions {
  return queue === "long" ? { groupConcurrency: 1 } : { localGroupConcurrency: Math.max(1, slots - 1) };
}
