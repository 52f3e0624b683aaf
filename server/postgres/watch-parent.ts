import { type ChildProcess, spawn } from "node:child_process";

/**
 * Interrupts another program when this process dies, even by kill -9. A shell waits for the end of a pipe that only
 * this process holds, then sends SIGINT to the program. Without a shell, the next start stops it (`clearLeftovers`).
 *
 * @returns a function that ends the watch; call it when the program ends, before the system reuses its process id
 */
export function interruptWhenParentDies(pid: number): () => void {
  if (process.platform === "win32") return () => {};
  const watcher: ChildProcess = spawn("/bin/sh", ["-c", 'read -r _; kill -INT "$0"', String(pid)], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.on("error", () => {}); // The system has no shell.
  watcher.unref();
  return () => watcher.kill("SIGKILL");
}
