import type { Database } from "#db/client";
import { StartError } from "#lib/platform/errors/start-errors";
import { type SchemaState, schemaState } from "./schema-state.ts";

const messages = {
  newer:
    "The database was migrated by a newer version of this program: start that version, or restore a backup of this one.",
  unreleased:
    "The database was created by a version from before the first release and cannot be upgraded. Start that version, or use a new DATA_DIR or an empty database.",
};

/**
 * Returns the state of a schema that this program can use or migrate.
 *
 * @throws {StartError} on any other schema, where writes of this program could be wrong
 */
export async function usableSchemaState(
  db: Pick<Database, "execute">,
): Promise<Exclude<SchemaState, keyof typeof messages>> {
  const state = await schemaState(db);
  if (state === "newer" || state === "unreleased") throw new StartError(messages[state]);
  return state;
}
