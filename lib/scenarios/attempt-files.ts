import { eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { scenarios } from "#db/schema/scenarios";
import { deleteAttempts } from "#lib/storage/attempt-folders";
import { store } from "#lib/storage/store";
import { finalInputPlace, scenarioFolder, sentInputKey } from "./scenario-input.ts";

type ScenarioIds = { projectId: string; scenarioId: string };

/**
 * After an attempt that came to nothing: what it wrote stays only where a commit held although its answer was lost. The
 * scenario may have been deleted while it was made, or another attempt may have made it.
 */
export async function removeUnowned(
  db: Database,
  { projectId, scenarioId }: ScenarioIds,
  inputKey: string,
): Promise<void> {
  const [row] = await db
    .select({ deletedAt: scenarios.deletedAt, inputKey: scenarios.inputKey })
    .from(scenarios)
    .where(eq(scenarios.id, scenarioId));
  if (row === undefined || row.deletedAt !== null) {
    await store().deleteFolder(scenarioFolder(projectId, scenarioId));
  } else if (row.inputKey !== inputKey) {
    await store().deleteFolder(inputKey);
    if (row.inputKey !== null) await store().deleteFolder(sentInputKey(projectId, scenarioId));
  }
}

/** After one that made the scenario: the input as it was sent has served, and so have those of attempts that died. */
export async function keepOnly(inputKey: string, { projectId, scenarioId }: ScenarioIds): Promise<void> {
  await store().deleteFolder(sentInputKey(projectId, scenarioId));
  await deleteAttempts(store(), { place: finalInputPlace(projectId, scenarioId), except: inputKey });
}
