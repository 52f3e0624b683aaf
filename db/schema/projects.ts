import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  check,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import type { Display } from "#lib/contract/display";
import { createdAt, id, instant, isTrimmed, updatedAt } from "./columns.ts";
import { models } from "./models.ts";

export const projects = pgTable(
  "projects",
  {
    id: id(),
    name: text("name").notNull(),
    description: text("description"),
    /** Display names, units and decimals that admins set, by column name. */
    display: jsonb("display").$type<Display>().notNull().default({}),
    currentModelId: uuid("current_model_id"),
    /**
     * Time until which the serving model may change at any moment, so no process leases it
     * (`lib/domain/models/serving-leases.ts`).
     */
    servingChangesUntil: instant("serving_changes_until"),
    /** Time of the deletion request. From then, the project exists only for its deletion job. */
    deletedAt: instant("deleted_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    createdBy: text("created_by").notNull(),
  },
  (table) => [
    foreignKey({
      name: "projects_current_model",
      columns: [table.id, table.currentModelId],
      foreignColumns: [models.projectId, models.id],
    }).onDelete("set null"),
    index("projects_listed").on(table.createdAt, table.id).where(sql`${table.deletedAt} is null`),
    check("projects_name_length", sql`char_length(${table.name}) between 1 and 100`),
    check("projects_name_trimmed", isTrimmed(table.name)),
    check("projects_display_object", sql`jsonb_typeof(${table.display}) = 'object'`),
  ],
);

/** Project that a row belongs to and is deleted with. A function declaration, because `models.ts` and this file import each other. */
export function projectId() {
  return uuid("project_id")
    .notNull()
    .references((): AnyPgColumn => projects.id, { onDelete: "cascade" });
}

/** `projectId` uses the predictions of `upstreamProjectId` as the input feature `featureName`. */
export const projectDependencies = pgTable(
  "project_dependencies",
  {
    projectId: projectId(),
    upstreamProjectId: uuid("upstream_project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "restrict" }),
    featureName: text("feature_name").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.upstreamProjectId] }),
    unique().on(table.projectId, table.featureName),
    check("project_dependencies_not_self", sql`${table.projectId} <> ${table.upstreamProjectId}`),
    index().on(table.upstreamProjectId),
  ],
);
