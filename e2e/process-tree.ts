import { readdirSync, readFileSync } from "node:fs";

type ProcessMemory = { pid: number; title: string; megabytes: number };

/**
 * Returns a process and its descendants with the PSS memory of each (Linux). PSS splits shared memory among its
 * processes, so that the sum is their total memory. A sum of RSS would count shared memory several times.
 */
export function processTree(pid: number): ProcessMemory[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
    return [memoryOf(pid), ...children.flatMap(processTree)];
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code!)) return []; // The process has ended.
    throw error;
  }
}

function memoryOf(pid: number): ProcessMemory {
  const title = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))![1];
  return { pid, title, megabytes: Number(kilobytes) / 1_000 };
}

/**
 * Returns the id of the service's process whose title starts with `title` (Linux).
 *
 * @throws {Error} if the service has no such process
 */
export function processOf(supervisor: number, title: string): number {
  const found = processTree(supervisor).find((one) => one.title.startsWith(title));
  if (found === undefined) throw new Error(`The service has no process "${title}".`);
  return found.pid;
}
