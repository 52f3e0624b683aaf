import { and, gt, isNull, or, sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { scopes } from "#lib/contract/api-keys";
import type { AuditChange } from "#lib/contract/audit";
import { limits } from "#lib/contract/limits";
import { bytea, createdAt, id, instant } from "./columns.ts";
import { projectId } from "./projects.ts";

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    projectId: projectId(),
    name: text("name").notNull(),
    /** SHA-256 of the key, hexadecimal; the key itself is stored nowhere. */
    hash: text("hash").notNull(),
    prefix: text("prefix").notNull(),
    createdAt: createdAt(),
    createdBy: text("created_by").notNull(),
    lastUsedAt: instant("last_used_at"),
    expiresAt: instant("expires_at"),
    /** Expiry at creation; a rotation may set `expiresAt` to an earlier time, the end of the overlap. */
    createdToExpireAt: instant("created_to_expire_at"),
    revokedAt: instant("revoked_at"),
    /** Calls that the key permits, in the order of `scopes`. */
    scopes: text("scopes", { enum: scopes })
      .array()
      .notNull()
      .default([...scopes]),
    /** Addresses and networks that may use the key; null for all. */
    allowedAddresses: text("allowed_addresses").array(),
  },
  (table) => [
    uniqueIndex("api_keys_hash").on(table.hash),
    index().on(table.projectId),
    // For the lookup of a member's keys.
    index().on(table.createdBy),
    check("api_keys_hash_form", sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
    check("api_keys_prefix_form", sql`${table.prefix} ~ '^mps_[0-9A-Za-z]{4}$'`),
    check(
      "api_keys_scopes",
      sql`${table.scopes} in ('{read}', '{predict}', '{write}', '{read,predict}', '{read,write}', '{predict,write}', '{read,predict,write}')`,
    ),
    check(
      "api_keys_allowed_addresses",
      sql`cardinality(${table.allowedAddresses}) between 1 and 20 and cardinality(${table.allowedAddresses}::inet[]) > 0`,
    ),
    check("api_keys_name_length", sql`char_length(${table.name}) between 1 and 100`),
    check(
      "api_keys_expiry_not_extended",
      sql`coalesce(${table.expiresAt} <= ${table.createdToExpireAt}, ${table.createdToExpireAt} is null)`,
    ),
  ],
);

/** Condition of a key that is neither revoked nor expired. */
export const isActiveKey = and(
  isNull(apiKeys.revokedAt),
  or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
);

/** Number of requests per key and day (UTC), counted in each process and added periodically. */
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
    // For the deletion of old days.
    index().on(table.day),
    check("api_key_uses_requests", sql`${table.requests} > 0`),
  ],
);

/**
 * Realtime connections to end: of an API key, a user or a project (`connectionUser`). The worker's relay ends them when
 * they are due.
 */
export const connectionEnds = pgTable(
  "connection_ends",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    userName: text("user_name").notNull(),
    dueAt: instant("due_at").notNull(),
  },
  (table) => [
    index().on(table.dueAt),
    check("connection_ends_user_name", sql`${table.userName} ~ '^(key|user|project)-.'`),
  ],
);

/** State of one subject (a key, an address) of `take_calls`: the theoretical arrival time, epoch seconds. */
export const callRates = pgTable("call_rates", {
  subject: text("subject").primaryKey(),
  arrival: doublePrecision("arrival").notNull(),
  /** Used only by processes from before `take_calls`, which run until a roll-out has ended. */
  granted: integer("granted").notNull().default(1),
});

/** Responses to creating POST requests, kept for 24 hours, so that a retry gets the same response. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** Identifier of the API key or user. */
    owner: text("owner").notNull(),
    key: text("key").notNull(),
    /** Request that holds the key. Once another request holds it, this one cannot commit. */
    requestId: uuid("request_id").notNull(),
    /** SHA-256 of method, address and media type. */
    callHash: text("call_hash").notNull(),
    /** SHA-256 of the body; null until a streamed body is complete. */
    bodyHash: text("body_hash"),
    /** Encrypted response body; null while the request runs. Written by the creating transaction. */
    answer: bytea("answer"),
    createdAt: createdAt(),
    /** Time until which the running request counts as alive. */
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
    /** Changed fields; null if the action changes none, or in entries of earlier versions. */
    changes: jsonb("changes").$type<AuditChange[]>(),
  },
  (table) => [
    index().on(table.projectId, table.at),
    index().on(table.at, table.id),
    check(
      "audit_log_changes",
      sql`jsonb_typeof(${table.changes}) = 'array' and jsonb_array_length(${table.changes}) <= ${sql.raw(String(limits.auditedChanges))}`,
    ),
  ],
);
