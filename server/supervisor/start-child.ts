import { type ChildProcess, fork } from "node:child_process";
import { createInterface } from "node:readline";
import { nodeOptions } from "#server/node-options";
import type { Running } from "./keep-running.ts";

export type ChildOptions = {
  /** Prefix of each output line. */
  name: string;
  /** Absolute path of the script. */
  script: string;
  args?: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Options of Node.js. */
  execArgv?: readonly string[];
  log: (name: string, line: string) => void;
  /** Time to end after `stop`. A process that takes longer is killed. */
  stopMs?: number;
};

/**
 * Starts a script of the service. The IPC channel closes when this process dies, which ends the script. A separate
 * process group keeps Ctrl-C from the script, so that this process can stop its children in order.
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
        log(name, `did not end within ${stopMs / 1000} s; killing it`);
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
