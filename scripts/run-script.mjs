import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const scripts = path.dirname(fileURLToPath(import.meta.url));
export const root = path.dirname(scripts);

/** The Node.js that npm installed: the service's scripts are TypeScript, which the machine's own may not run. */
export const installedNode = path.join(
  root,
  "node_modules",
  "node",
  "bin",
  process.platform === "win32" ? "node.exe" : "node",
);

/**
 * Runs a TypeScript script of this folder and ends as it ends. Signals are passed on, and by the IPC channel the script
 * hears of this process's death.
 *
 * @param {string} name
 * @param {string[]} args
 */
export function runScript(name, args) {
  if (!existsSync(installedNode)) {
    console.error("The packages are not installed: run npm ci first, or npm run up, which does it.");
    process.exit(1);
  }
  const child = fork(path.join(scripts, name), args, {
    cwd: root,
    execPath: installedNode,
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.once("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
