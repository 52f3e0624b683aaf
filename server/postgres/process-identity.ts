import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * A text that tells a running process from any other that ever had its number, or null where there is none.
 * Process numbers are reused, after a restart of a container even at once, so a number alone proves nothing.
 */
export function processIdentity(pid: number): string | null {
  if (process.platform === "linux") {
    const stat = readProc(pid, "stat");
    if (stat === null) return null;
    // The second field, the name in brackets, may hold spaces: fields are counted behind it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, startTicks] = [fields[0], fields[19]];
    return state === "Z" || state === "X" ? null : `${pid} ${startTicks}`;
  }
  const started = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
  return started === "" ? null : `${pid} ${started}`;
}

/** The command line of a running process, or null. */
export function commandLine(pid: number): string | null {
  if (process.platform === "linux") return readProc(pid, "cmdline")?.replaceAll("\0", " ").trim() || null;
  return spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim() || null;
}

function readProc(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return null; // The process is gone.
  }
}
