import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/**
 * Folders of the artifact store that no row owns: being written, until the transaction that makes them visible takes
 * them out of here, or to be removed. Deleting a row that owns folders puts them here, by triggers (`discard_…`).
 */
export const looseArtifacts = pgTable(
  "loose_artifacts",
  {
    key: text("key").primaryKey(),
    /** From when on it is removed: whoever still writes it has ended long before. */
    dueAt: instant("due_at").notNull(),
    /** How often its removal was begun. After the first time nobody can own it any more. */
    attempts: integer("attempts").notNull().default(0),
  },
  (table) => [
    check("loose_artifacts_attempts", sql`${table.attempts} >= 0`),
    index("loose_artifacts_due").on(table.dueAt),
  ],
);
