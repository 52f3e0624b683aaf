import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import type { GuardedAnswer, GuardedRequest } from "./guarded-session.ts";
import { rejectionOf, runtimeError } from "./runtime-reason.ts";
import { openSession } from "./session.ts";

/** Process of a guarded session. The model arrives on standard input, then one message per call. */
async function answered(work: () => Promise<GuardedAnswer>): Promise<void> {
  let answer: GuardedAnswer;
  try {
    answer = await work();
  } catch (cause) {
    answer = { kind: "rejected", ...rejectionOf(runtimeError("cannot be run", cause)) };
  }
  process.send!(answer);
}

process.on("disconnect", () => process.exit(0));
const opening = openSession(readFileSync(0));
await answered(async () => {
  const { inputs, outputs } = await opening;
  return { kind: "opened", inputs, outputs };
});
flushCompileCache(); // The parent kills this process, which then does not write the cache.
process.on("message", ({ table, bindings, choice }: GuardedRequest) =>
  answered(async () => {
    const session = await opening;
    return { kind: "predicted", values: await session.predictNamed(table, bindings, choice) };
  }),
);
