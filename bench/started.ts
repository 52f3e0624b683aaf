import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export type Started = { pid: number; stop(): Promise<void> };

/**
 * Starts a program and waits until it has printed all of these texts.
 *
 * @throws {Error} with its output if it ends before that
 */
export async function startUntil(
  texts: readonly string[],
  [program, ...args]: readonly [string, ...string[]],
  env: Record<string, string>,
): Promise<Started> {
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "ignore"],
    detached: true, // `stop` signals the whole group, like Ctrl-C, because npm forwards no signals.
    env: { ...process.env, NODE_ENV: "production", ...env },
  });
  const exited = once(child, "exit");
  const lines: string[] = [];
  const missing = new Set(texts);
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const text of missing) if (line.includes(text)) missing.delete(text);
    if (missing.size === 0) resolve();
  });
  child.once("error", reject);
  exited.then(() => reject(new Error(`${program} ${args.join(" ")} ended:\n${lines.join("\n")}`)));
  await ready;
  return {
    pid: child.pid!,
    async stop() {
      process.kill(-child.pid!, "SIGINT");
      await exited;
    },
  };
}
