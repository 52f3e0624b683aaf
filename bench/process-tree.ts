import { readdirSync, readFileSync, writeFileSync } from "node:fs";

export type ProcessMemory = { pid: number; title: string; megabytes: number };

/**
 * A process and all that it has started, with the memory of each by Linux' PSS: what several share is split among them,
 * so that the sum is what all of them take together (a sum of RSS counts it once for each).
 */
export function processTree(pid: number): ProcessMemory[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
    return [memoryOf(pid), ...children.flatMap(processTree)];
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code!)) return []; // It has just ended.
    throw error;
  }
}

function memoryOf(pid: number): ProcessMemory {
  const title = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))![1];
  return { pid, title, megabytes: Number(kilobytes) / 1_000 };
}

/**
 * The process of a service whose title begins with this (Linux).
 *
 * @throws {Error} where it has none
 */
export function processOf(supervisor: number, title: string): number {
  const found = processTree(supervisor).find((one) => one.title.startsWith(title));
  if (found === undefined) throw new Error(`The service has no process "${title}".`);
  return found.pid;
}

/** The most memory that a process has held since it began or was asked last, in MB (Linux). */
export function takePeak(pid: number): number {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]!;
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return Number(peak) / 1_000;
}
