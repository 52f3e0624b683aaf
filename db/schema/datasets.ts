import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { datasetChanges } from "#lib/contract/dataset-versions";
import type { Dataset, NumberFormatRule, Resample } from "#lib/contract/datasets";
import type { Reading } from "#lib/contract/reading";
import { createdAt, id, instant } from "./columns.ts";
import { projectId } from "./projects.ts";

/** A folder of the artifact store with rows of a dataset. Versions share the folders of rows that they have in common. */
export type DatasetPart = { key: string; rows: number; bytes: number };

/**
 * Versions of the projects' datasets. The newest one is current. Every change inserts a version, and versions never
 * change. The last ten are kept, and those that waiting jobs use.
 */
export const datasets = pgTable(
  "datasets",
  {
    id: id(),
    projectId: projectId(),
    version: integer("version").notNull(),
    fileName: text("file_name"),
    target: text("target").notNull(),
    timestampColumns: jsonb("timestamp_columns").$type<string[] | null>(),
    /** Columns whose values name the series of a row. Null for one series. */
    seriesColumns: jsonb("series").$type<string[] | null>(),
    exclude: jsonb("exclude").$type<string[]>().notNull(),
    categories: jsonb("categories").$type<string[]>().notNull(),
    missing: jsonb("missing").$type<string[]>().notNull(),
    /** Input columns that the user confirmed although a warning suspects them. */
    confirmed: jsonb("confirmed").$type<string[]>().notNull(),
    numberFormats: jsonb("number_formats").$type<NumberFormatRule[]>().notNull(),
    timezone: text("timezone").notNull(),
    /** How the file was read. Null for datasets that are older than this column. */
    reading: jsonb("reading").$type<Reading | null>(),
    calendar: text("calendar").$type<"business" | "all-days" | null>(),
    resample: jsonb("resample").$type<Resample | null>(),
    rowCount: integer("row_count").notNull(),
    frequency: text("frequency"),
    firstTimestamp: instant("first_timestamp"),
    lastTimestamp: instant("last_timestamp"),
    profile: jsonb("profile")
      .$type<
        Pick<Dataset, "columns" | "warnings" | "dateOrder" | "monthDay"> &
          // Absent for datasets that are older than these fields.
          Partial<Pick<Dataset, "lastTargetTimestamp" | "plannedRows" | "series">>
      >()
      .notNull(),
    /** Change that made this version of the previous one. */
    change: text("change", { enum: datasetChanges }).notNull(),
    /** Folders with the rows, in order. Triggers delete the folders that no version uses any longer. */
    parts: jsonb("parts").$type<DatasetPart[]>().notNull(),
    /** The only folder of a version that is older than `parts`, which names it too. */
    artifactKey: text("artifact_key"),
    createdAt: createdAt(),
    createdBy: text("created_by").notNull(),
  },
  (table) => [
    uniqueIndex("datasets_version").on(table.projectId, table.version),
    check("datasets_calendar", sql`${table.calendar} in ('business', 'all-days')`),
    check("datasets_numbered", sql`${table.version} >= 1 and ${table.rowCount} >= 0`),
    check(
      "datasets_series",
      sql`jsonb_typeof(${table.seriesColumns}) = 'array' and jsonb_array_length(${table.seriesColumns}) between 1 and 4`,
    ),
    check(
      "datasets_change",
      sql`${table.change} in ('replaced', 'appended', 'settings', 'restored', 'corrected')`,
    ),
    check(
      "datasets_parts",
      sql`jsonb_typeof(${table.parts}) = 'array' and jsonb_array_length(${table.parts}) between 1 and 32`,
    ),
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
    /** Time of its first use. Null: an open upload, which counts towards the limits of open uploads. */
    usedAt: instant("used_at"),
    createdAt: createdAt(),
    createdBy: text("created_by").notNull(),
  },
  (table) => [
    index().on(table.projectId),
    index().on(table.createdAt),
    check("uploads_bytes", sql`${table.bytes} between 0 and 2147483648`),
  ],
);
