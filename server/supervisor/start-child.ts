import { type ChildProcess, fork } from "node:child_process";
import { createInterface } from "node:readline";
import { nodeOptions } from "#server/node-options";
import type { Running } from "./keep-running.ts";

export type ChildOptions = {
  /** Stands before each line that the child prints. */
  name: string;
  /** Absolute path of a script. */
  script: string;
  args?: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Of Node.js. */
  execArgv?: readonly string[];
  log: (name: string, line: string) => void;
  /** How long it may take to end before it is killed. */
  stopMs?: number;
};

/**
 * Starts one of the service's own scripts. It hears of this process's death on its IPC channel, and is in a process
 * group of its own, so that Ctrl-C reaches it through this process alone and in its turn.
 */
export function startChild({
  name,
  script,
  args = [],
  env,
  execArgv = nodeOptions,
  log,
  stopMs = 10_000,
}: ChildOptions): Running {
  const child = fork(script, args, {
    env,
    execArgv: [...execArgv],
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream! }).on("line", (line) => log(name, line));
  }
  const exited = ending(child);
  return {
    exited,
    async stop() {
      child.kill("SIGTERM");
      const late = setTimeout(() => {
        log(name, `does not end within ${stopMs / 1000} s and is killed`);
        child.kill("SIGKILL");
      }, stopMs);
      await exited;
      clearTimeout(late);
    },
  };
}

function ending(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`));
  });
}
