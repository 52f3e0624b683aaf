import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Decision } from "#lib/contract/saved-comparisons";
import { createdAt, id, isTrimmed, updatedAt } from "./columns.ts";
import { projectId } from "./projects.ts";
import { scenarios } from "./scenarios.ts";

/** Saved comparisons: a name and scenarios in order. The first is the baseline. */
export const comparisons = pgTable(
  "comparisons",
  {
    id: id(),
    projectId: projectId(),
    /** 1 to 100, unique in the project: enforces the limit of 100 in the database. */
    slot: smallint("slot").notNull(),
    name: text("name").notNull(),
    /** Facts of the decision for one of its scenarios. Null without one. */
    decision: jsonb("decision").$type<Decision>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    createdBy: text("created_by").notNull(),
  },
  (table) => [
    unique("comparisons_tenant").on(table.projectId, table.id),
    uniqueIndex("comparisons_slot").on(table.projectId, table.slot),
    check("comparisons_slot_range", sql`${table.slot} between 1 and 100`),
    check("comparisons_name_length", sql`char_length(${table.name}) between 1 and 100`),
    check("comparisons_name_trimmed", isTrimmed(table.name)),
    index().on(table.projectId, table.createdAt),
  ],
);

/** Scenarios of saved comparisons. A deleted scenario leaves, so positions may have gaps. */
export const comparisonScenarios = pgTable(
  "comparison_scenarios",
  {
    projectId: uuid("project_id").notNull(),
    comparisonId: uuid("comparison_id").notNull(),
    position: smallint("position").notNull(),
    scenarioId: uuid("scenario_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.comparisonId, table.position] }),
    unique("comparison_scenarios_once").on(table.comparisonId, table.scenarioId),
    // Both keys include the project, so a comparison holds only scenarios of the same project.
    foreignKey({
      name: "comparison_scenarios_comparison",
      columns: [table.projectId, table.comparisonId],
      foreignColumns: [comparisons.projectId, comparisons.id],
    }).onDelete("cascade"),
    foreignKey({
      name: "comparison_scenarios_scenario",
      columns: [table.projectId, table.scenarioId],
      foreignColumns: [scenarios.projectId, scenarios.id],
    }).onDelete("cascade"),
    check("comparison_scenarios_position", sql`${table.position} between 0 and 19`),
    index().on(table.scenarioId),
  ],
);
