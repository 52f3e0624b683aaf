import type { ConstructorOptions, QueueOptions } from "pg-boss";

/** Schema of pg-boss' own tables, beside ours. */
export const bossSchema = "pgboss";

/**
 * How a job is delivered. A worker that dies stops its heartbeat, and another one has the job after ten seconds, the
 * least that pg-boss allows. No job may run longer than six hours.
 */
export const queueOptions = {
  notify: true,
  heartbeatSeconds: 10,
  expireInSeconds: 6 * 3_600,
  retryLimit: 2,
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

/** Of a worker: it looks every second for jobs whose worker died. */
export const workerOptions = {
  schema: bossSchema,
  schedule: false,
  useListenNotify: true,
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
} as const satisfies ConstructorOptions;
