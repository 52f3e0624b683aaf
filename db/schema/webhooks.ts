import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  jsonb,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { eventNames } from "#lib/contract/channel";
import { limits } from "#lib/contract/limits";
import type { EventPayload } from "#lib/contract/realtime";
import { deliveryStatuses, disabledReasons, webhookFormats } from "#lib/contract/webhooks";
import { bytea, createdAt, id, instant } from "./columns.ts";
import { projectId } from "./projects.ts";

const listOf = (names: readonly string[]) => sql.raw(names.map((name) => `'${name}'`).join(", "));

/** Addresses that receive a project's events by HTTP. */
export const webhooks = pgTable(
  "webhooks",
  {
    id: id(),
    projectId: projectId(),
    /** 1 to 20, unique in the project: enforces the limit of 20 in the database. */
    slot: smallint("slot").notNull(),
    url: text("url").notNull(),
    /** Host and port of `url`. */
    host: text("host").notNull(),
    events: text("events", { enum: eventNames }).array().notNull(),
    format: text("format", { enum: webhookFormats }).notNull().default("standard"),
    /** Sealed (`sealSecret`), like the previous secret, which also signs until a rotation's overlap ends. */
    secret: bytea("secret").notNull(),
    previousSecret: bytea("previous_secret"),
    previousSecretExpiresAt: instant("previous_secret_expires_at"),
    rotatedAt: instant("rotated_at"),
    disabledAt: instant("disabled_at"),
    disabledReason: text("disabled_reason", { enum: disabledReasons }),
    /** Until then a worker sends one of its deliveries. */
    leasedUntil: instant("leased_until").notNull().defaultNow(),
    createdAt: createdAt(),
    createdBy: text("created_by").notNull(),
  },
  (table) => [
    unique("webhooks_tenant").on(table.projectId, table.id),
    uniqueIndex("webhooks_slot").on(table.projectId, table.slot),
    check(
      "webhooks_slot_range",
      sql`${table.slot} between 1 and ${sql.raw(String(limits.webhooksPerProject))}`,
    ),
    check(
      "webhooks_url",
      sql`${table.url} ~* '^https?:' and char_length(${table.url}) <= ${sql.raw(String(limits.webhookUrlMax))}`,
    ),
    check(
      "webhooks_events",
      sql`cardinality(${table.events}) > 0 and ${table.events} <@ array[${listOf(eventNames)}]`,
    ),
    check("webhooks_format", sql`${table.format} in (${listOf(webhookFormats)})`),
    check(
      "webhooks_previous_secret",
      sql`num_nulls(${table.previousSecret}, ${table.previousSecretExpiresAt}) <> 1`,
    ),
    check(
      "webhooks_disabled",
      sql`num_nulls(${table.disabledAt}, ${table.disabledReason}) <> 1 and ${table.disabledReason} in (${listOf(disabledReasons)})`,
    ),
  ],
);

/**
 * Events to send to webhooks. A trigger inserts them at the commit of their event, in the order of commits, so no crash
 * and no outage of the realtime channel loses one.
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: id().default(sql`gen_random_uuid()`),
    projectId: uuid("project_id").notNull(),
    webhookId: uuid("webhook_id").notNull(),
    /** ID of the event; for `job-updated`, job and status, so that progress alone is not sent. */
    source: text("source").notNull(),
    eventId: uuid("event_id").notNull(),
    type: text("type").notNull(),
    data: jsonb("data").$type<EventPayload>().notNull(),
    status: text("status", { enum: deliveryStatuses }).notNull().default("Pending"),
    attempts: smallint("attempts").notNull().default(0),
    /** Time of the event, or of the request to send it again. Attempts end a day later. */
    requestedAt: instant("requested_at").notNull(),
    /** Time of the next attempt. */
    dueAt: instant("due_at"),
    lastAttemptAt: instant("last_attempt_at"),
    responseStatus: smallint("response_status"),
    responseBody: text("response_body"),
    error: text("error"),
    createdAt: createdAt(),
  },
  (table) => [
    // With the project in the key, a delivery cannot point at another project's webhook.
    foreignKey({
      name: "webhook_deliveries_webhook",
      columns: [table.projectId, table.webhookId],
      foreignColumns: [webhooks.projectId, webhooks.id],
    }).onDelete("cascade"),
    unique("webhook_deliveries_once").on(table.webhookId, table.source),
    index("webhook_deliveries_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
    // For the deletion of old ones.
    index().on(table.createdAt),
    index("webhook_deliveries_listed").on(table.webhookId, table.createdAt, table.id),
    check("webhook_deliveries_status", sql`${table.status} in (${listOf(deliveryStatuses)})`),
    check("webhook_deliveries_pending", sql`(${table.status} = 'Pending') = (${table.dueAt} is not null)`),
    check(
      "webhook_deliveries_attempts",
      sql`${table.attempts} >= 0 and (${table.attempts} = 0 or ${table.lastAttemptAt} is not null)`,
    ),
    check("webhook_deliveries_response", sql`char_length(${table.responseBody}) <= 1024`),
  ],
);
