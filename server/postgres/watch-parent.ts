import { type ChildProcess, spawn } from "node:child_process";

/**
 * Stops a foreign program when this process dies, even by kill -9: a shell waits for the end of a pipe that only
 * this process holds, then interrupts the program. Where there is no shell, the next start clears up.
 *
 * @returns ends the watch; call it once the program has ended, before its number can be given to another
 */
export function interruptWhenParentDies(pid: number): () => void {
  if (process.platform === "win32") return () => {};
  const watcher: ChildProcess = spawn("/bin/sh", ["-c", 'read -r _; kill -INT "$0"', String(pid)], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.on("error", () => {}); // No shell: see above.
  watcher.unref();
  return () => watcher.kill("SIGKILL");
}
