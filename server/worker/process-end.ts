import { readFileSync } from "node:fs";
import { blockedSeconds, watchdogSignal } from "./watchdog.ts";

/** How a process ended, as the end of the sentence "The process of this job …", and what to do about it. */
export type ProcessEnd = { how: string; advice: string };

type Seen = {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Last output on standard error. */
  errorOutput: string;
  /** Whether the kernel ended a process for lack of memory meanwhile (`oomKills`). */
  isMemoryUsedUp: boolean;
};

const lessData = "Retry the job. If it fails again, give the job less data";
const report = "Retry the job. If it fails again, report it to the operator of the service.";

/** Describes the end of a job's process by what was seen of it. Names a lack of memory only if it was seen. */
export function describeEnd({ code, signal, errorOutput, isMemoryUsedUp }: Seen): ProcessEnd {
  if (/heap out of memory/.test(errorOutput)) {
    return { how: "reached the limit of its JavaScript memory", advice: `${lessData}.` };
  }
  if (signal === watchdogSignal) {
    return { how: `did not respond for ${blockedSeconds} seconds and was ended`, advice: `${lessData}.` };
  }
  if (signal === "SIGKILL" && isMemoryUsedUp) {
    const how = "was killed by the signal SIGKILL, probably because the machine ran out of memory,";
    return { how, advice: `${lessData}, or the worker more memory.` };
  }
  if (signal !== null) return { how: `was ended by the signal ${signal}`, advice: report };
  return { how: `ended with exit code ${code}`, advice: report };
}

/** Counters of processes that the kernel has ended for lack of memory: of the container, else of the machine. */
const counters = ["/sys/fs/cgroup/memory.events", "/proc/vmstat"];

/** Returns the number of such processes so far; 0 where the kernel does not count them. */
export function oomKills(): number {
  for (const file of counters) {
    try {
      const [, count] = /^oom_kill (\d+)$/m.exec(readFileSync(file, "utf8")) ?? [];
      if (count !== undefined) return Number(count);
    } catch {
      // The file does not exist here.
    }
  }
  return 0;
}
