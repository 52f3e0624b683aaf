import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import type { Display } from "#lib/contract/display";
import { limits } from "#lib/contract/limits";
import { projectAccess } from "#lib/contract/project-members";
import { projectRoles } from "#lib/contract/project-roles";
import { createdAt, id, instant, isTrimmed, updatedAt } from "./columns.ts";
import { models } from "./models.ts";
import { user } from "./users.ts";

export const projects = pgTable(
  "projects",
  {
    id: id(),
    name: text("name").notNull(),
    description: text("description"),
    /** Display names, units and decimals that admins set, by column name. */
    display: jsonb("display").$type<Display>().notNull().default({}),
    /** Completed runs that each scenario keeps. */
    runsKept: integer("runs_kept").notNull().default(limits.runsKeptDefault),
    currentModelId: uuid("current_model_id"),
    /**
     * Time until which the serving model may change at any moment, so no process leases it
     * (`lib/domain/models/serving-leases.ts`).
     */
    servingChangesUntil: instant("serving_changes_until"),
    /** `restricted`: only users in `projectMembers`, and admins of the service, have a role in the project. */
    access: text("access", { enum: projectAccess }).notNull().default("open"),
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
    check("projects_access", sql`${table.access} in ('open', 'restricted')`),
    check("projects_runs_kept", sql`${table.runsKept} between 1 and 200`),
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

/** Roles of users in a project. In an open project, every analyst of the service has at least the role analyst. */
export const projectMembers = pgTable(
  "project_members",
  {
    id: id(),
    projectId: projectId(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    role: text("role", { enum: projectRoles }).notNull(),
    createdAt: createdAt(),
    createdBy: text("created_by").notNull(),
  },
  (table) => [
    unique("project_members_once").on(table.projectId, table.userId),
    index().on(table.userId),
    check("project_members_role", sql`${table.role} in ('viewer', 'analyst', 'admin')`),
  ],
);

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
