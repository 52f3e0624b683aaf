import { readFileSync } from "node:fs";
import { ModelInvalid } from "../onnx/model-invalid.ts";
import { answerParent } from "./child-run.ts";
import { runtimeReason } from "./session.ts";
import type { SmokeResult } from "./smoke-run.ts";
import { tryModel } from "./try-model.ts";

/** The child process of `smokeRun`: the model comes on standard input, the result goes to the parent as a message. */
async function main(): Promise<void> {
  let result: SmokeResult;
  try {
    result = await tryModel(readFileSync(0));
  } catch (cause) {
    const reason =
      cause instanceof ModelInvalid ? cause.message : `The model cannot be run: ${runtimeReason(cause)}`;
    result = { ok: false, reason };
  }
  answerParent(result);
}

await main();
