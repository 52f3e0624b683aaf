import type { Transaction } from "#db/client";
import { findCheckpoint } from "#lib/domain/checkpoints/find-checkpoint";
import { type CheckpointRequest, reserveCheckpoints } from "#lib/domain/checkpoints/reserve-checkpoints";
import { type DependencyNode, orderDependencies } from "#lib/domain/projects/dependency-graph";
import { lockProjectsWithSlots } from "#lib/domain/projects/lock-projects-with-slots";
import { recordChange } from "#lib/platform/audit/record-change";
import type { Context } from "#lib/platform/context/context";
import type { PinnedCheckpoints } from "../scenario-request.ts";

export type ScenarioCheckpoints = {
  checkpointId: string;
  /** Upstream project → its checkpoint. */
  upstreams: Map<string, string>;
  /** Newly reserved checkpoints. A new main checkpoint comes first. */
  reserved: string[];
};

/**
 * Locks the existing checkpoints against deletion until the transaction ends, and reserves the new ones. A null value for an
 * upstream project saves its current model as a new checkpoint. All new checkpoints are reserved in one batch. The
 * `linkedCheckpointId` of each new upstream checkpoint is the main checkpoint.
 *
 * @param main the main checkpoint, or null and the label of a new one
 * @throws {DomainError} project_not_found, checkpoint_not_found, and the errors of `reserveCheckpoints`
 */
export async function pinCheckpoints(
  tx: Transaction,
  ctx: Context,
  {
    projectId,
    main,
    pinnedCheckpoints,
    graph,
  }: {
    projectId: string;
    main: { checkpointId: string | null; label: string | null };
    pinnedCheckpoints: PinnedCheckpoints;
    graph: readonly DependencyNode[];
  },
): Promise<ScenarioCheckpoints> {
  const existing = new Map([...pinnedCheckpoints].filter((pin): pin is [string, string] => pin[1] !== null));
  const requests: CheckpointRequest[] = [];
  if (main.checkpointId === null) {
    const labelField = "checkpointLabel";
    const upstreamCheckpoints = Object.fromEntries(pinnedCheckpoints);
    requests.push({ projectId, label: main.label, labelField, upstreamCheckpoints });
  }
  for (const [upstreamId, checkpointId] of pinnedCheckpoints) {
    if (checkpointId !== null) continue;
    requests.push({
      projectId: upstreamId,
      mainCheckpoint: main.checkpointId ?? "main",
      upstreamCheckpoints: Object.fromEntries(ownPinnedCheckpoints(graph, upstreamId, pinnedCheckpoints)),
    });
  }
  // Locks all projects at once and in the order of their IDs, so scenarios with common projects cannot deadlock.
  await lockProjectsWithSlots(tx, [...new Set([projectId, ...pinnedCheckpoints.keys()])]);
  if (main.checkpointId !== null) {
    const mainRef = { projectId, checkpointId: main.checkpointId, field: "checkpointId" };
    await findCheckpoint(tx, mainRef, "key share");
  }
  for (const [upstreamId, checkpointId] of existing) {
    const field = `dependentProjectCheckpoints.${upstreamId}`;
    await findCheckpoint(tx, { projectId: upstreamId, checkpointId, field }, "key share");
  }
  const reserved = requests.length === 0 ? [] : await reserveCheckpoints(tx, ctx, requests);
  for (const { id, projectId: owner, label } of reserved) {
    await recordChange(tx, ctx, "checkpoint.created", { projectId: owner, entityId: id, label });
  }
  const created = new Map(reserved.map((one) => [one.projectId, one.id]));
  return {
    checkpointId: main.checkpointId ?? created.get(projectId)!,
    upstreams: new Map(
      [...pinnedCheckpoints].map(([id, checkpointId]) => [id, checkpointId ?? created.get(id)!]),
    ),
    reserved: reserved.map(({ id }) => id),
  };
}

/** Returns the pinned checkpoints of the projects that the given project depends on. */
function ownPinnedCheckpoints(
  graph: readonly DependencyNode[],
  projectId: string,
  pinnedCheckpoints: PinnedCheckpoints,
): [string, string | null][] {
  const edges = graph.flatMap((node) =>
    node.upstream.map((edge) => ({
      projectId: node.projectId,
      upstreamProjectId: edge.projectId,
      featureName: edge.featureName,
    })),
  );
  const ownAndUpstream = new Set(orderDependencies(edges, projectId).map((node) => node.projectId));
  return [...pinnedCheckpoints].filter(([id]) => id !== projectId && ownAndUpstream.has(id));
}
