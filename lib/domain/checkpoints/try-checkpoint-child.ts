import { InvalidFeatureStep } from "#lib/engine/features/check-pipeline";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { answerParent } from "#lib/engine/runtime/child-run";
import { rejectionOf } from "#lib/engine/runtime/runtime-reason";
import { readCheckpointFile } from "./read-checkpoint-file.ts";
import type { TryResult } from "./try-checkpoint.ts";
import { tryFiles } from "./try-files.ts";

/** Runs the child process of `tryCheckpoint`, which reads the file from standard input. */
async function main(): Promise<void> {
  let result: TryResult;
  try {
    const { manifest, files } = await readCheckpointFile(process.stdin, { keep: true });
    await tryFiles(manifest, files);
    result = { ok: true };
  } catch (cause) {
    const { reason, ...rest } = rejectionOf(errorOf(cause));
    result = { ok: false, reason: reason.slice(0, 1_000), ...rest };
  }
  answerParent(result);
}

function errorOf(cause: unknown): ModelInvalid {
  if (cause instanceof ModelInvalid) return cause;
  if (cause instanceof InvalidFeatureStep)
    return new ModelInvalid(`features.json is wrong: ${cause.message}`);
  const message =
    "The checkpoint's files do not form a model that this service can open. Export the checkpoint again.";
  return new ModelInvalid(message, { cause, isReasonLogged: true });
}

await main();
