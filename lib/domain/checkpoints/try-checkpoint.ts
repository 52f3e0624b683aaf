import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { type ChildLimits, runInChild, sourceFile } from "#lib/engine/runtime/child-run";

const CHILD = sourceFile("../../checkpoints/try-checkpoint-child.ts", import.meta.url);

/** More than a bare model is given: a checkpoint's other files are text, and are read as well. */
const tryLimits: ChildLimits = { timeoutMs: 60_000, memoryMb: 4_096, heapMb: 1_024 };

export type TryResult = { ok: true } | { ok: false; reason: string };

/**
 * Opens a checkpoint from outside and has it predict, in a process of its own with limits on time and memory.
 *
 * @param bytes its whole file
 * @throws {ModelInvalid} with the reason why it must not be used here
 */
export async function tryCheckpoint(
  bytes: Uint8Array,
  { signal, ...limits }: Partial<ChildLimits> & { signal?: AbortSignal } = {},
): Promise<void> {
  const result = await runInChild<TryResult>(CHILD, bytes, { ...tryLimits, ...limits }, { signal });
  if (!result.ok) throw new ModelInvalid(result.reason);
}
