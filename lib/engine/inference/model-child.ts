import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { rejectionOf, runtimeError } from "#lib/engine/runtime/runtime-reason";
import { type OpenedModel, openHere } from "./local-runner.ts";
import type { FromModelProcess, ToModelProcess } from "./model-process.ts";

// A model process. Its parent sends one message at a time and waits for the answer.

/** Private memory in megabytes above which garbage is collected, so that the parent learns what stays. */
const COLLECT_ABOVE_MB = 96;

const models = new Map<string, OpenedModel>();

async function answer(message: ToModelProcess): Promise<unknown> {
  if (message.kind === "run") return models.get(message.key)!.run(message.work);
  models.set(message.key, await openHere(message.bytes, message.use));
  return null;
}

process.on("disconnect", () => process.exit(0));
process.on("message", async (message: ToModelProcess) => {
  let outcome: Pick<FromModelProcess, "result" | "rejection">;
  try {
    outcome = { result: await answer(message) };
  } catch (cause) {
    outcome = { rejection: rejectionOf(runtimeError("cannot be run", cause)) };
  }
  const { user, system } = process.cpuUsage();
  process.send!({
    ...outcome,
    memoryMb: memoryMb(),
    cpuMs: (user + system) / 1_000,
  } satisfies FromModelProcess);
  // The parent kills this process, which then does not write the cache.
  if (message.kind === "open") flushCompileCache();
});

function memoryMb(): number {
  const used = privateMb();
  if (used < COLLECT_ABOVE_MB) return used;
  globalThis.gc?.();
  return privateMb();
}

/** Returns this process's memory, without the pages that it shares with others where the system states them. */
function privateMb(): number {
  if (process.platform !== "linux") return process.memoryUsage.rss() / 2 ** 20;
  const [, kilobytes] = /^RssAnon:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}
