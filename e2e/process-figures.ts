import { readFileSync, writeFileSync } from "node:fs";

/** Returns the resident memory of a process, in megabytes. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_000;
}

/** Returns the peak memory of a process in MB since its start or the previous call (Linux). */
export function takePeak(pid: number): number {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]!;
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return Number(peak) / 1_000;
}

/** Returns the CPU time of a process and of its main thread, in clock ticks. */
export function processorTicks(pid: number): { all: number; main: number } {
  return { all: ticks(`/proc/${pid}/stat`), main: ticks(`/proc/${pid}/task/${pid}/stat`) };
}

/** Returns the niceness of a process: 0 is normal, and processes of higher values give way. */
export const nicenessOf = (pid: number) => Number(statFields(`/proc/${pid}/stat`)[16]);

/** User and system time. */
function ticks(file: string): number {
  const fields = statFields(file);
  return Number(fields[11]) + Number(fields[12]);
}

/** Returns the fields after the second one, which may contain spaces. */
const statFields = (file: string) =>
  readFileSync(file, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");

/**
 * Runs work while other clients keep sending requests, and measures the memory.
 *
 * @param ask sends one request of the other clients; its errors are rethrown
 * @returns the result, the growth of memory to its peak in megabytes, and the number of responses meanwhile
 */
export async function watch<T>(
  pid: number,
  ask: () => Promise<void>,
  work: () => Promise<T>,
): Promise<{ result: T; grownMb: number; answered: number }> {
  takePeak(pid);
  const before = residentMb(pid);
  let answered = 0;
  let working = true;
  const asking = (async () => {
    for (; working; answered++) await ask();
  })();
  try {
    const [result] = await Promise.all([
      work().finally(() => {
        working = false;
      }),
      asking,
    ]);
    return { result, grownMb: takePeak(pid) - before, answered };
  } finally {
    working = false;
  }
}
