import { inArray, type SQLWrapper } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { standardError } from "#lib/platform/errors/standard-error";
import { lockProjectRows } from "./lock-project.ts";

/**
 * A locked project with the slots, labels and folder names of its checkpoints. Checkpoints being deleted hold only
 * folder names.
 */
export type LockedProject = {
  name: string;
  currentModelId: string | null;
  slots: Set<number>;
  labels: Set<string>;
  folders: Set<string>;
};

/**
 * Locks the projects' rows in id order until the transaction ends. Changes of their checkpoints are serialised and
 * deadlocks cannot occur.
 *
 * @throws {DomainError} project_not_found
 */
export async function lockProjectsWithSlots(
  tx: Transaction,
  projectIds: readonly string[],
): Promise<Map<string, LockedProject>> {
  const existing = await lockProjectRows(tx, projectIds);
  const locked = new Map(
    [...existing.values()].map(({ id, name, currentModelId }): [string, LockedProject] => [
      id,
      { name, currentModelId, slots: new Set(), labels: new Set(), folders: new Set() },
    ]),
  );
  for (const id of projectIds) {
    if (!locked.has(id)) throw standardError("project_not_found");
  }
  const taken = await tx
    .select({
      projectId: checkpoints.projectId,
      slot: checkpoints.slot,
      label: checkpoints.label,
      folderName: checkpoints.folderName,
    })
    .from(checkpoints)
    .where(inArray(checkpoints.projectId, [...projectIds]));
  for (const { projectId, slot, label, folderName } of taken) {
    const project = locked.get(projectId)!;
    project.folders.add(folderName);
    if (slot === null) continue;
    project.slots.add(slot);
    project.labels.add(label);
  }
  return locked;
}

/**
 * Returns the projects of linked checkpoints. The request for a scenario may create checkpoints of upstream projects. Each is
 * linked to the scenario's own checkpoint, the main checkpoint. Deleting the row of a main checkpoint ends these
 * links. Lock the projects before that.
 *
 * @param ids ids of the main checkpoints: a list, or a query
 */
export async function projectsLinkedTo(tx: Transaction, ids: string[] | SQLWrapper): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ projectId: checkpoints.projectId })
    .from(checkpoints)
    .where(inArray(checkpoints.linkedCheckpointId, ids));
  return rows.map(({ projectId }) => projectId);
}
