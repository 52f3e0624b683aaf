import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Condition } from "#lib/contract/conditions";
import type { IntervalShape } from "#lib/contract/interval-shape";
import type { Adjustment, Summary } from "#lib/contract/scenarios";
import type { Warning } from "#lib/contract/warnings";
import { checkpoints } from "./checkpoints.ts";
import { bytea, createdAt, id, instant, isTrimmed, updatedAt } from "./columns.ts";
import { jobs } from "./jobs.ts";
import { projectId } from "./projects.ts";

/** Facts of a completed run's checkpoints, kept when a later run is shown and the checkpoints can be deleted. */
export type ReleasedCheckpoints = {
  checkpointId: string;
  label: string;
  modelName: string;
  targetMetric: string;
  primaryMetricValue: number | null;
  /** Absent in runs of earlier versions. */
  target?: string;
  upstreams: { projectId: string; checkpointId: string; label: string }[];
};

/** Identity of a scenario and its recipe. Its predictions belong to its runs. */
export const scenarios = pgTable(
  "scenarios",
  {
    id: id(),
    projectId: projectId(),
    title: text("title").notNull(),
    description: text("description"),
    notes: text("notes"),
    tags: text("tags").array().notNull().default([]),
    color: text("color").notNull(),
    archived: boolean("archived").notNull().default(false),
    source: text("source", { enum: ["Upload", "Generated", "Clone"] }).notNull(),
    fileName: text("file_name"),
    baseScenarioId: uuid("base_scenario_id"),
    adjustments: jsonb("adjustments").$type<Adjustment[]>().notNull().default([]),
    /** The run that completed last; until one has, the first run. The status of the scenario is the status of this run's job. */
    shownRunId: uuid("shown_run_id").notNull(),
    /** Summary of the effective predictions of the shown run; null without active overrides. */
    effectiveSummary: jsonb("effective_summary").$type<Summary>(),
    /** Time of the deletion request. From then, the scenario does not exist for callers. */
    deletedAt: instant("deleted_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    createdBy: text("created_by").notNull(),
  },
  // The type is stated, because the two tables name each other.
  (table): PgTableExtraConfigValue[] => [
    unique("scenarios_tenant").on(table.projectId, table.id),
    foreignKey({
      name: "scenarios_base",
      columns: [table.projectId, table.baseScenarioId],
      foreignColumns: [table.projectId, table.id],
    }).onDelete("set null"),
    // Deferred: a scenario and its first run name each other, and are inserted in one transaction.
    foreignKey({
      name: "scenarios_shown_run",
      columns: [table.id, table.shownRunId],
      foreignColumns: [scenarioRuns.scenarioId, scenarioRuns.id],
    }),
    check("scenarios_not_own_base", sql`${table.baseScenarioId} <> ${table.id}`),
    check("scenarios_source", sql`${table.source} in ('Upload', 'Generated', 'Clone')`),
    check("scenarios_title_length", sql`char_length(${table.title}) between 1 and 200`),
    check("scenarios_title_trimmed", isTrimmed(table.title)),
    check("scenarios_notes_length", sql`char_length(${table.notes}) <= 5000`),
    check("scenarios_tags_form", sql`are_tags(${table.tags})`),
    check("scenarios_color_form", sql`${table.color} ~ '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$'`),
    index().on(table.projectId, table.createdAt),
    index().on(table.baseScenarioId),
  ],
);

/**
 * Runs of scenarios: an input and the predictions made from it. A run that has completed never changes, except that it
 * releases its checkpoints when a later one completes. The first run has the ID of its scenario.
 */
export const scenarioRuns = pgTable(
  "scenario_runs",
  {
    id: id(),
    projectId: uuid("project_id").notNull(),
    scenarioId: uuid("scenario_id").notNull(),
    /** Null if the new checkpoint was never saved (its job failed or was cancelled), if it is released, or if the scenario is deleted. */
    checkpointId: uuid("checkpoint_id"),
    /** Null while the run holds its checkpoints. */
    released: jsonb("released").$type<ReleasedCheckpoints>(),
    /** Latest job that makes the predictions. The status of the run is the status of this job. */
    jobId: uuid("job_id")
      .notNull()
      .references(() => jobs.id),
    endDate: instant("end_date"),
    /** Steps after the last known row that a later run generates, as many as the first run. Null for a first run and for other sources. */
    steps: integer("steps"),
    /** Folder in the artifact store that holds the input's columns; null until they exist. */
    inputKey: text("input_key"),
    /** Bytes of the input in the artifact store: as sent until the job completes, then of the final input. */
    inputBytes: bigint("input_bytes", { mode: "number" }).notNull().default(0),
    rowCount: integer("row_count"),
    firstTimestamp: instant("first_timestamp"),
    lastTimestamp: instant("last_timestamp"),
    /** Time of the last row that was known when the run completed; null without times, and for runs of earlier versions. */
    knownUntil: instant("known_until"),
    summary: jsonb("summary").$type<Summary>(),
    /** Intervals at levels other than 90%; null for a model without them. */
    intervals: jsonb("intervals").$type<IntervalShape>(),
    /** Sums for the intervals of totals over any span (`encodeTotals`). Only comparisons select them. */
    totals: bytea("totals"),
    warnings: jsonb("warnings").$type<Warning[]>().notNull().default([]),
    createdAt: createdAt(),
    createdBy: text("created_by").notNull(),
    completedAt: instant("completed_at"),
  },
  (table) => [
    // With the project in the key, a run cannot point at another project's scenario or checkpoint.
    foreignKey({
      name: "scenario_runs_scenario",
      columns: [table.projectId, table.scenarioId],
      foreignColumns: [scenarios.projectId, scenarios.id],
    }).onDelete("cascade"),
    foreignKey({
      name: "scenario_runs_checkpoint",
      columns: [table.projectId, table.checkpointId],
      foreignColumns: [checkpoints.projectId, checkpoints.id],
    }).onDelete("restrict"),
    unique("scenario_runs_of_scenario").on(table.scenarioId, table.id),
    // One run at a time, so the run that was requested last is also the one that completes last.
    uniqueIndex("scenario_runs_one_open").on(table.scenarioId).where(sql`${table.completedAt} is null`),
    check("scenario_runs_input_bytes", sql`${table.inputBytes} >= 0`),
    check("scenario_runs_steps", sql`${table.steps} > 0`),
    check(
      "scenario_runs_result_complete",
      sql`num_nulls(${table.rowCount}, ${table.summary}, ${table.inputKey}, ${table.completedAt}) in (0, 4)`,
    ),
    check(
      "scenario_runs_released",
      sql`${table.released} is null or (${table.checkpointId} is null and ${table.completedAt} is not null)`,
    ),
    index().on(table.projectId, table.scenarioId, table.createdAt),
    // For the run as of a time, and for the one that took the place of another.
    index().on(table.scenarioId, table.completedAt),
    index().on(table.checkpointId),
    index().on(table.jobId),
  ],
);

/** Pinned checkpoints of upstream projects. */
export const scenarioCheckpoints = pgTable(
  "scenario_checkpoints",
  {
    runId: uuid("run_id")
      .notNull()
      .references(() => scenarioRuns.id, { onDelete: "cascade" }),
    upstreamProjectId: uuid("upstream_project_id").notNull(),
    /** Null if its new checkpoint was never saved; a retry reserves one. */
    checkpointId: uuid("checkpoint_id"),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.upstreamProjectId] }),
    foreignKey({
      name: "scenario_checkpoints_checkpoint",
      columns: [table.upstreamProjectId, table.checkpointId],
      foreignColumns: [checkpoints.projectId, checkpoints.id],
    }).onDelete("restrict"),
    index().on(table.checkpointId),
    index().on(table.upstreamProjectId),
  ],
);

/**
 * Overrides of predictions. An override only ever ends: its row stays, so that a read as of an earlier time can apply it as it stood
 * then.
 */
export const scenarioOverrides = pgTable(
  "scenario_overrides",
  {
    id: id(),
    projectId: uuid("project_id").notNull(),
    scenarioId: uuid("scenario_id").notNull(),
    /** 1 to 100, unique among the active overrides of the scenario: enforces the limit of 100 in the database. */
    slot: smallint("slot").notNull(),
    /** First and last time, inclusive. */
    from: instant("from_time").notNull(),
    to: instant("to_time").notNull(),
    operation: text("operation", { enum: ["set", "add", "multiply"] }).notNull(),
    value: doublePrecision("value").notNull(),
    reason: text("reason").notNull(),
    /** Conditions on the series of a row; null: all rows. */
    where: jsonb("conditions").$type<Condition[]>(),
    createdAt: createdAt(),
    createdBy: text("created_by").notNull(),
    /** Time of the last actual value that was known at creation. Null without any, and for overrides of earlier versions. */
    knownUntil: instant("known_until"),
    endedAt: instant("ended_at"),
    endedBy: text("ended_by"),
    /** Time of the last actual value that was known when it ended. */
    endedKnownUntil: instant("ended_known_until"),
  },
  (table) => [
    foreignKey({
      name: "scenario_overrides_scenario",
      columns: [table.projectId, table.scenarioId],
      foreignColumns: [scenarios.projectId, scenarios.id],
    }).onDelete("cascade"),
    uniqueIndex("scenario_overrides_slot")
      .on(table.scenarioId, table.slot)
      .where(sql`${table.endedAt} is null`),
    check("scenario_overrides_slot_range", sql`${table.slot} between 1 and 100`),
    check("scenario_overrides_span", sql`${table.from} <= ${table.to}`),
    check("scenario_overrides_operation", sql`${table.operation} in ('set', 'add', 'multiply')`),
    // Excludes NaN, too, which is greater than any number.
    check("scenario_overrides_value", sql`${table.value} > '-infinity' and ${table.value} < 'infinity'`),
    check("scenario_overrides_factor", sql`${table.operation} <> 'multiply' or ${table.value} >= 0`),
    check("scenario_overrides_reason_length", sql`char_length(${table.reason}) between 1 and 500`),
    check("scenario_overrides_reason_trimmed", isTrimmed(table.reason)),
    check("scenario_overrides_end", sql`num_nulls(${table.endedAt}, ${table.endedBy}) in (0, 2)`),
    check(
      "scenario_overrides_end_known",
      sql`${table.endedKnownUntil} is null or ${table.endedAt} is not null`,
    ),
    check("scenario_overrides_end_order", sql`${table.endedAt} >= ${table.createdAt}`),
    index().on(table.scenarioId),
  ],
);

/**
 * Columnar results: little-endian float64, `rowCount` values from `rowStart` (0-based). Stored when the job completes;
 * deleted with the run.
 */
export const predictionChunks = pgTable(
  "prediction_chunks",
  {
    runId: uuid("run_id")
      .notNull()
      .references(() => scenarioRuns.id, { onDelete: "cascade" }),
    series: text("series", { enum: ["timestamp", "prediction", "lower", "upper"] }).notNull(),
    chunk: smallint("chunk").notNull(),
    rowStart: integer("row_start").notNull(),
    rowCount: integer("row_count").notNull(),
    data: bytea("data").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.series, table.chunk] }),
    check("prediction_chunks_series", sql`${table.series} in ('timestamp', 'prediction', 'lower', 'upper')`),
    // 65536: `CHUNK_VALUES` of lib/engine/series/chunks.ts. With the key, no row is there twice.
    check(
      "prediction_chunks_rows",
      sql`${table.chunk} >= 0 and ${table.rowStart} = ${table.chunk} * 65536 and ${table.rowCount} between 1 and 65536`,
    ),
    check("prediction_chunks_length", sql`octet_length(${table.data}) = 8 * ${table.rowCount}`),
  ],
);
