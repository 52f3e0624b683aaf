import type { scenarioRuns } from "#db/schema/scenarios";
import { nullIfNotFound } from "#lib/platform/storage/storage-errors";
import { readInputNotes } from "./run/scenario-input.ts";
import type { ScenarioRow } from "./select-scenarios.ts";

type StoredRun = Pick<
  typeof scenarioRuns.$inferSelect,
  "knownUntil" | "inputKey" | "firstTimestamp" | "completedAt"
>;

/**
 * Returns the time of the last row that a run knew. Earlier versions of the service stored it only in the notes of the input; those of an
 * upload may name a planned row, so they do not count.
 */
export async function knownUntilOf(
  source: ScenarioRow["scenario"]["source"],
  { knownUntil, inputKey, firstTimestamp, completedAt }: StoredRun,
): Promise<Date | null> {
  const isOlder = knownUntil === null && completedAt !== null && firstTimestamp !== null;
  if (!isOlder || source === "Upload" || inputKey === null) return knownUntil;
  const notes = await nullIfNotFound(readInputNotes(inputKey));
  return notes?.knownUntil ? new Date(notes.knownUntil) : null;
}
