import { sql } from "drizzle-orm";
import {
  bigserial,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { OutputOption } from "#lib/contract/import-model";
import type { JobStatus, JobType } from "#lib/contract/jobs";
import type { EventName, EventPayload } from "#lib/contract/realtime";
import { createdAt, id, instant } from "./columns.ts";

/** Public record of a job, which pg-boss delivers to a worker. Kept after the deletion of its project is requested. */
export const jobs = pgTable(
  "jobs",
  {
    id: id(),
    projectId: uuid("project_id").notNull(),
    type: text("type").$type<JobType>().notNull(),
    status: text("status").$type<JobStatus>().notNull(),
    payload: jsonb("payload").$type<unknown>().notNull(),
    progress: doublePrecision("progress").notNull().default(0),
    stage: text("stage"),
    message: text("message"),
    rowsTotal: integer("rows_total"),
    rowsProcessed: integer("rows_processed"),
    scenarioId: uuid("scenario_id"),
    checkpointId: uuid("checkpoint_id"),
    modelId: uuid("model_id"),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    /** Outputs of an imported model that can be the prediction, if the import asks for or offers a choice. */
    outputOptions: jsonb("output_options").$type<OutputOption[]>(),
    attempt: integer("attempt").notNull().default(0),
    /** Attempts that ended with an error, or with the job's own process, and were followed by another. */
    failures: integer("failures").notNull().default(0),
    /** Attempts that a stopping worker or an outage of the database ended. They do not count. */
    interruptions: integer("interruptions").notNull().default(0),
    /** Position in the queue: lower ones start first, so that projects alternate (`nextQueuePosition`). */
    queuePosition: integer("queue_position").notNull().default(0),
    retryOf: uuid("retry_of"),
    cancelRequested: boolean("cancel_requested").notNull().default(false),
    requestId: text("request_id"),
    createdBy: text("created_by").notNull(),
    apiKeyId: uuid("api_key_id"),
    createdAt: createdAt(),
    startedAt: instant("started_at"),
    finishedAt: instant("finished_at"),
  },
  (table) => [
    index().on(table.projectId, table.createdAt, table.id),
    index().on(table.scenarioId),
    index("jobs_open")
      .on(table.type, table.status, table.createdAt)
      .where(sql`${table.status} in ('Pending', 'Running')`),
    index("jobs_waiting_of_project")
      .on(table.projectId, table.type, table.queuePosition)
      .where(sql`${table.status} = 'Pending'`),
    index("jobs_begun_by_queue_position")
      .on(table.type, table.queuePosition)
      .where(sql`${table.attempt} > 0`),
    uniqueIndex("jobs_retried_once")
      .on(table.retryOf)
      .where(sql`${table.status} in ('Pending', 'Running', 'Completed')`),
    check(
      "jobs_type",
      sql`${table.type} in ('CreateScenario', 'CreateCheckpoint', 'DeleteCheckpoint', 'TrainModel', 'ImportModel', 'DeleteScenario', 'DeleteProject')`,
    ),
    check("jobs_status", sql`${table.status} in ('Pending', 'Running', 'Completed', 'Failed', 'Cancelled')`),
    check(
      "jobs_attempts",
      sql`${table.failures} >= 0 and ${table.interruptions} >= 0 and ${table.failures} + ${table.interruptions} <= ${table.attempt}`,
    ),
    check("jobs_progress", sql`${table.progress} between 0 and 100`),
    check("jobs_completed", sql`${table.status} <> 'Completed' or ${table.progress} = 100`),
    check(
      "jobs_rows",
      sql`num_nulls(${table.rowsTotal}, ${table.rowsProcessed}) <> 1 and ${table.rowsProcessed} between 0 and ${table.rowsTotal}`,
    ),
    check(
      "jobs_begun",
      sql`(${table.attempt} > 0) = (${table.startedAt} is not null)
        and (${table.attempt} = 0 or ${table.status} <> 'Pending') and (${table.attempt} > 0 or ${table.status} in ('Pending', 'Cancelled'))`,
    ),
    check(
      "jobs_error",
      sql`(${table.status} = 'Failed') = (${table.errorCode} is not null) and num_nulls(${table.errorCode}, ${table.errorMessage}) <> 1`,
    ),
    check("jobs_output_options", sql`${table.outputOptions} is null or ${table.type} = 'ImportModel'`),
    check(
      "jobs_finished",
      sql`(${table.status} in ('Completed', 'Failed', 'Cancelled')) = (${table.finishedAt} is not null)`,
    ),
  ],
);

/**
 * Events, written in the transaction of their change and published afterwards. A trigger numbers them at the commit:
 * docs/decisions/0178.
 */
export const outboxEvents = pgTable(
  "outbox_events",
  {
    sequence: bigserial("sequence", { mode: "number" }).primaryKey(),
    projectId: uuid("project_id").notNull(),
    name: text("name").$type<EventName>().notNull(),
    payload: jsonb("payload").$type<EventPayload>().notNull(),
    createdAt: createdAt(),
    publishedAt: instant("published_at"),
  },
  (table) => [
    check(
      "outbox_events_name",
      sql`${table.name} in ('checkpoint-created', 'checkpoint-failed', 'checkpoint-deleted', 'job-updated', 'scenario-completed', 'scenario-failed', 'model-trained', 'default-changed', 'checkpoint-updated', 'scenario-updated', 'scenario-deleted', 'project-updated', 'dataset-changed')`,
    ),
    check(
      "outbox_events_payload",
      sql`${table.payload} ?& array['eventId', 'entityId'] and ${table.payload} ->> 'projectId' = ${table.projectId}::text`,
    ),
    index("outbox_events_waiting").on(table.sequence).where(sql`${table.publishedAt} is null`),
    index("outbox_events_published").on(table.publishedAt).where(sql`${table.publishedAt} is not null`),
  ],
);
