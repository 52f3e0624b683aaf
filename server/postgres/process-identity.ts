import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Returns a text that identifies a running process beyond its id, or null without such a process. The system reuses
 * process ids, after a container restart even at once.
 */
export function processIdentity(pid: number): string | null {
  if (process.platform === "linux") {
    const stat = readProc(pid, "stat");
    if (stat === null) return null;
    // The second field, the name in brackets, may contain spaces. Fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, startTicks] = [fields[0], fields[19]];
    return state === "Z" || state === "X" ? null : `${pid} ${startTicks}`;
  }
  const started = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
  return started === "" ? null : `${pid} ${started}`;
}

/** Returns the command line of a running process; null without such a process. */
export function commandLine(pid: number): string | null {
  if (process.platform === "linux") return readProc(pid, "cmdline")?.replaceAll("\0", " ").trim() || null;
  return spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim() || null;
}

function readProc(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return null; // The process has ended.
  }
}
