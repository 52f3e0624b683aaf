import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/**
 * Folders of the artifact store that no row owns: folders being written, until the transaction that makes them visible
 * deletes them from this table, and folders to delete. Triggers (`discard_…`) add the folders of deleted rows.
 */
export const orphanedArtifacts = pgTable(
  "orphaned_artifacts",
  {
    key: text("key").primaryKey(),
    /** Time after which the folder is deleted. Any writer has ended long before. */
    dueAt: instant("due_at").notNull(),
    /** Number of deletion attempts. After the first attempt no transaction can claim the folder. */
    attempts: integer("attempts").notNull().default(0),
    /** Bytes that the writer of a claimed folder has reserved in its project's quota (`reserveSpace`). */
    reservedBytes: bigint("reserved_bytes", { mode: "number" }).notNull().default(0),
  },
  (table) => [
    check("orphaned_artifacts_attempts", sql`${table.attempts} >= 0`),
    check("orphaned_artifacts_reserved", sql`${table.reservedBytes} >= 0`),
    index("orphaned_artifacts_due").on(table.dueAt),
  ],
);
