import { acquireTrialSlot } from "#lib/domain/models/trial-slot";
import { type ChildLimits, runInChild, sourceFile } from "#lib/engine/runtime/child-run";
import { type Rejection, rejected } from "#lib/engine/runtime/runtime-reason";

const CHILD = sourceFile("./try-checkpoint-child.ts", import.meta.url);

/** Higher than the limits of a bare model, because a checkpoint's text files are parsed too. */
const tryLimits: ChildLimits = { timeoutMs: 60_000, memoryMb: 3_584, heapMb: 1_024 };

export type TryResult = { ok: true } | ({ ok: false } & Rejection);

/**
 * Opens an imported checkpoint and runs a prediction, in a separate process with time and memory limits.
 *
 * @param bytes the whole file
 * @throws {ModelInvalid} with the reason why the checkpoint cannot be used
 */
export async function tryCheckpoint(
  bytes: Uint8Array,
  { signal, ...limits }: Partial<ChildLimits> & { signal?: AbortSignal } = {},
): Promise<void> {
  using _slot = await acquireTrialSlot(signal);
  const result = await runInChild<TryResult>(CHILD, bytes, { ...tryLimits, ...limits }, { signal });
  if (!result.ok) throw rejected(result);
}
