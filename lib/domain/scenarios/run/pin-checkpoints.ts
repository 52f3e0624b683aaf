import type { Transaction } from "#db/client";
import type { Context } from "#lib/context/context";
import { holdCheckpoint } from "#lib/domain/checkpoints/find-checkpoint";
import { type CheckpointRequest, reserveCheckpoints } from "#lib/domain/checkpoints/reserve-checkpoints";
import { type DependencyNode, orderDependencies } from "#lib/domain/projects/dependency-graph";
import { lockProjects } from "#lib/domain/projects/lock-projects-with-slots";
import { recordAudit } from "#lib/platform/audit/record-audit";
import type { Pins } from "../rules.ts";

export type PinnedCheckpoints = {
  checkpointId: string;
  /** Dependent project → its checkpoint. */
  dependents: Map<string, string>;
  /** Those that were reserved just now, a new main one first. */
  reserved: string[];
};

/**
 * Holds the checkpoints that exist, so that nobody deletes them before the transaction ends, and reserves the others.
 * Interface, section 4, rule 3: "A null value for a dependent project saves that project's current model as a new
 * checkpoint. Checkpoints for the main project and the dependent project are then created in one batch, and the
 * dependent checkpoint's `linkedCheckpointId` points to the main one."
 *
 * @param main its checkpoint, or null and the label of a new one
 * @throws {DomainError} checkpoint_not_found, and what `reserveCheckpoints` throws
 */
export async function pinCheckpoints(
  tx: Transaction,
  ctx: Context,
  {
    projectId,
    main,
    pins,
    closure,
  }: {
    projectId: string;
    main: { checkpointId: string | null; label: string | null };
    pins: Pins;
    closure: readonly DependencyNode[];
  },
): Promise<PinnedCheckpoints> {
  const existing = new Map([...pins].filter((pin): pin is [string, string] => pin[1] !== null));
  const requests: CheckpointRequest[] = [];
  if (main.checkpointId === null) {
    const labelField = "checkpointLabel";
    const dependentCheckpoints = Object.fromEntries(pins);
    requests.push({ projectId, label: main.label, labelField, dependentCheckpoints });
  }
  for (const [dependent, checkpointId] of pins) {
    if (checkpointId !== null) continue;
    requests.push({
      projectId: dependent,
      linkTo: main.checkpointId ?? "main",
      dependentCheckpoints: Object.fromEntries(ownPins(closure, dependent, pins)),
    });
  }
  // All projects in one go and in the order of their ids: two scenarios that share some never wait in a circle.
  await lockProjects(tx, [...new Set([projectId, ...pins.keys()])]);
  if (main.checkpointId !== null) {
    await holdCheckpoint(tx, { projectId, checkpointId: main.checkpointId, field: "checkpointId" });
  }
  for (const [dependent, checkpointId] of existing) {
    const field = `dependentProjectCheckpoints.${dependent}`;
    await holdCheckpoint(tx, { projectId: dependent, checkpointId, field });
  }
  const reserved = requests.length === 0 ? [] : await reserveCheckpoints(tx, ctx, requests);
  for (const { id, projectId: owner, label } of reserved) {
    await recordAudit(tx, ctx, {
      projectId: owner,
      action: "checkpoint.created",
      entityType: "checkpoint",
      entityId: id,
      label,
    });
  }
  const created = new Map(reserved.map((one) => [one.projectId, one.id]));
  return {
    checkpointId: main.checkpointId ?? created.get(projectId)!,
    dependents: new Map([...pins].map(([id, checkpointId]) => [id, checkpointId ?? created.get(id)!])),
    reserved: reserved.map(({ id }) => id),
  };
}

/** Of the pins those of projects that this one depends on itself. */
function ownPins(
  closure: readonly DependencyNode[],
  projectId: string,
  pins: Pins,
): [string, string | null][] {
  const edges = closure.flatMap((node) =>
    node.upstream.map((edge) => ({
      projectId: node.projectId,
      upstreamProjectId: edge.projectId,
      featureName: edge.featureName,
    })),
  );
  const below = new Set(orderDependencies(edges, projectId).map((node) => node.projectId));
  return [...pins].filter(([id]) => id !== projectId && below.has(id));
}
