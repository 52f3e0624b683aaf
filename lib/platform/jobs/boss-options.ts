import type { ConstructorOptions, FetchGroupConcurrencyOptions, QueueOptions } from "pg-boss";
import type { QueueName } from "./catalogue.ts";

/** Schema of pg-boss' own tables, beside ours. */
export const bossSchema = "pgboss";

/**
 * How a job is delivered. A worker that dies stops its heartbeat, and another one has the job after ten seconds, the
 * least that pg-boss allows. No job may run longer than six hours. How often a job is begun, our own record counts:
 * `maxAttempts`.
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

/** Of one who only sends: no maintenance, no schedules, no listening. */
export const senderOptions = {
  schema: bossSchema,
  supervise: false,
  schedule: false,
} as const satisfies ConstructorOptions;

/** Of a worker: it looks every second for jobs whose worker died. A connection that does not answer is given up. */
export const workerOptions = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 15_000,
  schema: bossSchema,
  schedule: false,
  useListenNotify: true,
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
} as const satisfies ConstructorOptions & { query_timeout: number };

/**
 * How jobs are taken from a queue. A project's long ones are done one after the other, over all workers: they would all
 * want to make its current model, and other projects shall find a worker free.
 */
export const takeOptions: Record<QueueName, FetchGroupConcurrencyOptions> = {
  short: {},
  long: { groupConcurrency: 1 },
};
