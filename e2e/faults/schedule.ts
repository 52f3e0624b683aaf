import { seededRandom } from "#lib/engine/learners/seeded-random";

const processes = ["web-0", "web-1", "worker-0", "worker-1", "realtime", "database"] as const;
export type ProcessName = (typeof processes)[number];
const hosts = ["web-0", "web-1", "worker-0", "worker-1"] as const;
const ends = ["database", "store", "channel", "callers"] as const;
/** Connections between a process and its database, store or channel, or between callers and a web process. */
export type Line = { host: (typeof hosts)[number]; end: (typeof ends)[number] };

export type Fault = { atMs: number } & (
  | { kind: "kill"; process: ProcessName; downMs: number }
  | { kind: "cut"; line: Line }
  /** The line's connections end, and each new one ends before the given byte of an answer, often while it is set up. */
  | { kind: "flap"; line: Line; bytes: number; forMs: number }
  /** The line carries no bytes, in either direction or only of answers. */
  | { kind: "silence" | "delay"; line: Line; forMs: number }
  /** The store rejects new objects, because its disk is full. */
  | { kind: "full"; forMs: number }
  /** From now on, the clock of the process leads the true time, or lags behind it if negative. */
  | { kind: "clock"; process: Line["host"]; aheadMs: number }
);

const hourMs = 3_600_000;
/** A cycle begins with faults and ends without any, so that responses in its second half need no excuse. */
const cycleMs = 90_000;
const stormMs = 35_000;
/** Silent lines are noticed late, so they come first. */
const silenceMs = 10_000;

/** Returns the same faults for the same seed, in the order of their times. */
export function scheduleOf(seed: number, durationMs: number): Fault[] {
  const random = seededRandom(seed);
  const one = <T>(items: readonly T[]) => items[random.below(items.length)]!;
  const faults: Fault[] = [];
  for (let cycleAt = 0; cycleAt < durationMs; cycleAt += cycleMs) {
    for (let atMs = cycleAt + 2_000; ; atMs += 500 + random.below(6_000)) {
      const inCycle = atMs - cycleAt;
      if (inCycle > stormMs || atMs > durationMs) break;
      faults.push({ atMs, ...anyFault(inCycle < silenceMs) });
    }
  }
  return faults;

  function anyFault(maySilence: boolean) {
    const chance = random.below(13);
    if (chance < 4) return { kind: "kill", process: one(processes), downMs: random.below(3_000) } as const;
    const host = one(hosts);
    if (chance < 6)
      return { kind: "clock", process: host, aheadMs: hourMs * (random.below(97) - 48) } as const;
    if (chance === 6) return { kind: "full", forMs: 1_000 + random.below(8_000) } as const;
    // Every request and job uses the database, so it fails as often as all other ends together.
    const others = host.startsWith("web") ? ends.slice(1) : ends.slice(1, 3);
    const line = { host, end: random.below(2) === 0 ? "database" : one(others) } as const;
    if (chance < 9) return { kind: "cut", line } as const;
    if (chance < 11)
      return { kind: "flap", line, bytes: random.below(8_000), forMs: 200 + random.below(4_000) } as const;
    if (chance === 11 && maySilence)
      return { kind: "silence", line, forMs: 1_000 + random.below(12_000) } as const;
    return { kind: "delay", line, forMs: 200 + random.below(4_000) } as const;
  }
}

/** Describes a fault in one line. */
export function faultLine(fault: Fault): string {
  if (fault.kind === "kill") return `kill ${fault.process}, start it after ${fault.downMs} ms`;
  if (fault.kind === "clock")
    return `set the clock of ${fault.process} to ${fault.aheadMs / hourMs} hours ahead of the true time`;
  if (fault.kind === "full") return `fill the store for ${fault.forMs} ms`;
  const line = `${fault.line.host} – ${fault.line.end}`;
  if (fault.kind === "cut") return `cut ${line}`;
  const after = fault.kind === "flap" ? ` after ${fault.bytes} bytes` : "";
  return `${fault.kind} ${line}${after} for ${fault.forMs} ms`;
}
