import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea, createdAt, id, instant } from "./columns.ts";
import { projects } from "./projects.ts";

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** SHA-256 of the key, hexadecimal; the key itself is stored nowhere. */
    hash: text("hash").notNull(),
    prefix: text("prefix").notNull(),
    createdAt: createdAt(),
    createdBy: text("created_by").notNull(),
    lastUsedAt: instant("last_used_at"),
    expiresAt: instant("expires_at"),
    /** The expiry that it was created with; `expiresAt` comes sooner where a rotation's overlap ends. */
    createdToExpireAt: instant("created_to_expire_at"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    uniqueIndex("api_keys_hash").on(table.hash),
    index().on(table.projectId),
    check("api_keys_hash_form", sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
    check("api_keys_prefix_form", sql`${table.prefix} ~ '^mps_[0-9A-Za-z]{4}$'`),
    check("api_keys_name_length", sql`char_length(${table.name}) between 1 and 100`),
    check(
      "api_keys_expire_in_time",
      sql`coalesce(${table.expiresAt} <= ${table.createdToExpireAt}, ${table.createdToExpireAt} is null)`,
    ),
  ],
);

/** How many requests came with a key, by day (UTC): counted in each process and added now and then. */
export const apiKeyUses = pgTable(
  "api_key_uses",
  {
    apiKeyId: uuid("api_key_id")
      .notNull()
      .references(() => apiKeys.id, { onDelete: "cascade" }),
    day: date("day").notNull(),
    requests: bigint("requests", { mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.apiKeyId, table.day] }),
    // For the days that are forgotten.
    index().on(table.day),
    check("api_key_uses_requests", sql`${table.requests} > 0`),
  ],
);

/** GCRA state of one subject (a key, an address): the theoretical arrival time, epoch seconds. */
export const callRates = pgTable("call_rates", {
  subject: text("subject").primaryKey(),
  arrival: doublePrecision("arrival").notNull(),
  /** How many events the last statement was given: its answer. */
  granted: integer("granted").notNull().default(1),
});

/** The answers to creating POSTs, kept 24 hours, so that a repeated request gets the same one. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** Of whom: an API key's or a user's id. */
    owner: text("owner").notNull(),
    key: text("key").notNull(),
    /** The request that has the key: once another has it, this one can commit nothing. */
    requestId: uuid("request_id").notNull(),
    /** SHA-256 of method, address and media type. */
    callHash: text("call_hash").notNull(),
    /** SHA-256 of the body; null until one that streams has come to its end. */
    bodyHash: text("body_hash"),
    /** The answer's body, sealed; null while the request runs. Written by the transaction that creates. */
    answer: bytea("answer"),
    createdAt: createdAt(),
    /** While the request runs: until when it is believed to be alive. */
    lockedUntil: instant("locked_until").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.key] }),
    index().on(table.createdAt),
    check("idempotency_keys_length", sql`char_length(${table.key}) between 1 and 255`),
  ],
);

export const auditLog = pgTable(
  "audit_log",
  {
    id: id(),
    projectId: uuid("project_id"),
    at: createdAt(),
    actorId: text("actor_id").notNull(),
    apiKeyId: uuid("api_key_id"),
    action: text("action").notNull(),
    entityType: text("entity_type").notNull(),
    entityId: text("entity_id").notNull(),
    label: text("label"),
    requestId: text("request_id"),
  },
  (table) => [index().on(table.projectId, table.at), index().on(table.at, table.id)],
);
