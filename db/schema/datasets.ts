import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Dataset, NumberFormatRule, Resample } from "#lib/contract/datasets";
import { createdAt, id, instant } from "./columns.ts";
import { projectId } from "./projects.ts";

/** A project has one current dataset; a new upload, appended rows or other settings make a new version. */
export const datasets = pgTable(
  "datasets",
  {
    id: id(),
    projectId: projectId(),
    version: integer("version").notNull(),
    fileName: text("file_name"),
    target: text("target").notNull(),
    timestampColumns: jsonb("timestamp_columns").$type<string[] | null>(),
    exclude: jsonb("exclude").$type<string[]>().notNull(),
    categories: jsonb("categories").$type<string[]>().notNull(),
    missing: jsonb("missing").$type<string[]>().notNull(),
    /** Input columns that the user confirmed although a warning suspects them. */
    confirmed: jsonb("confirmed").$type<string[]>().notNull(),
    numberFormats: jsonb("number_formats").$type<NumberFormatRule[]>().notNull(),
    timezone: text("timezone").notNull(),
    calendar: text("calendar").$type<"business" | "all-days" | null>(),
    resample: jsonb("resample").$type<Resample | null>(),
    rowCount: integer("row_count").notNull(),
    frequency: text("frequency"),
    firstTimestamp: instant("first_timestamp"),
    lastTimestamp: instant("last_timestamp"),
    profile: jsonb("profile")
      .$type<Pick<Dataset, "columns" | "warnings" | "dateOrder" | "monthDay">>()
      .notNull(),
    /** Folder in the artifact store. */
    artifactKey: text("artifact_key").notNull(),
    createdAt: createdAt(),
    createdBy: text("created_by").notNull(),
  },
  (table) => [
    uniqueIndex("datasets_version").on(table.projectId, table.version),
    check("datasets_calendar", sql`${table.calendar} in ('business', 'all-days')`),
    check("datasets_numbered", sql`${table.version} >= 1 and ${table.rowCount} >= 0`),
  ],
);

/** A large file that was streamed in and waits to be used. */
export const uploads = pgTable(
  "uploads",
  {
    id: id(),
    projectId: projectId(),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    sha256: text("sha256").notNull(),
    artifactKey: text("artifact_key").notNull(),
    /** Header, types and row count found while it streamed in. */
    profile: jsonb("profile").$type<unknown>(),
    createdAt: createdAt(),
    createdBy: text("created_by").notNull(),
  },
  (table) => [
    index().on(table.projectId),
    index().on(table.createdAt),
    check("uploads_bytes", sql`${table.bytes} between 0 and 2147483648`),
  ],
);
