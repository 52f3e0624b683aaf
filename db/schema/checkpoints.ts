import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { createdAt, id, isTrimmed, updatedAt } from "./columns.ts";
import { modelColumns, models } from "./models.ts";
import { projectId } from "./projects.ts";

/**
 * A checkpoint is reserved in the request (it holds its label and one of the 20 slots), ready when its artifacts
 * are complete, and deleting until its artifacts are gone. Only ready ones exist for callers.
 */
export const checkpoints = pgTable(
  "checkpoints",
  {
    id: id(),
    projectId: projectId(),
    /** 1 to 20, unique in the project among checkpoints that count: enforces the limit of 20 in the database. */
    slot: smallint("slot"),
    label: text("label").notNull(),
    folderName: text("folder_name").notNull(),
    description: text("description"),
    state: text("state", { enum: ["reserved", "ready", "deleting"] }).notNull(),
    /** Requested at creation; takes effect when the checkpoint becomes ready. */
    setAsDefault: boolean("set_as_default").notNull().default(false),
    isDefault: boolean("is_default").notNull().default(false),
    linkedCheckpointId: uuid("linked_checkpoint_id").references((): AnyPgColumn => checkpoints.id, {
      onDelete: "set null",
    }),
    modelId: uuid("model_id"),
    ...modelColumns(),
    artifactKey: text("artifact_key").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    createdBy: text("created_by").notNull(),
  },
  (table) => [
    uniqueIndex("checkpoints_label")
      .on(table.projectId, table.label)
      .where(sql`${table.state} <> 'deleting'`),
    uniqueIndex("checkpoints_folder").on(table.projectId, table.folderName),
    uniqueIndex("checkpoints_slot").on(table.projectId, table.slot),
    uniqueIndex("checkpoints_one_default").on(table.projectId).where(sql`${table.isDefault}`),
    unique("checkpoints_tenant").on(table.projectId, table.id),
    foreignKey({
      name: "checkpoints_model",
      columns: [table.projectId, table.modelId],
      foreignColumns: [models.projectId, models.id],
    }).onDelete("set null"),
    check("checkpoints_state", sql`${table.state} in ('reserved', 'ready', 'deleting')`),
    check("checkpoints_slot_range", sql`${table.slot} between 1 and 20`),
    check("checkpoints_slot_counts", sql`(${table.state} = 'deleting') = (${table.slot} is null)`),
    check("checkpoints_default_ready", sql`not ${table.isDefault} or ${table.state} = 'ready'`),
    check("checkpoints_label_length", sql`char_length(${table.label}) between 2 and 100`),
    check("checkpoints_label_trimmed", isTrimmed(table.label)),
    check("checkpoints_folder_form", sql`${table.folderName} ~ '^[a-z0-9_-]{1,50}$'`),
    check(
      "checkpoints_artifact_folder",
      sql`starts_with(${table.artifactKey}, 'projects/' || ${table.projectId}::text || '/checkpoints/' || ${table.folderName})`,
    ),
    check("checkpoints_not_own_link", sql`${table.linkedCheckpointId} <> ${table.id}`),
    index().on(table.modelId),
    index().on(table.linkedCheckpointId),
  ],
);

/** Checkpoints of upstream projects used to create a checkpoint. */
export const checkpointDependencies = pgTable(
  "checkpoint_dependencies",
  {
    checkpointId: uuid("checkpoint_id")
      .notNull()
      .references(() => checkpoints.id, { onDelete: "cascade" }),
    upstreamProjectId: uuid("upstream_project_id").notNull(),
    upstreamCheckpointId: uuid("upstream_checkpoint_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.checkpointId, table.upstreamProjectId] })],
);
