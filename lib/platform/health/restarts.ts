import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const fileOf = (dataDir: string) => path.join(dataDir, "restarts.json");

/**
 * Counts unexpected ends of the parts that a supervisor runs, in a file of the data folder that the other processes
 * read for their metrics. The supervisor has no metrics, because it serves no port.
 */
export class RestartCount {
  readonly #file: string;
  readonly #counts: Record<string, number> = {};

  constructor(dataDir: string) {
    this.#file = fileOf(dataDir);
    this.#save();
  }

  /** Adds a part without restarts. */
  add(part: string): void {
    this.#counts[part] ??= 0;
    this.#save();
  }

  increment(part: string): void {
    this.#counts[part] = (this.#counts[part] ?? 0) + 1;
    this.#save();
  }

  /** A full disk must not keep a part from restarting. */
  #save(): void {
    try {
      writeFileSync(this.#file, JSON.stringify(this.#counts));
    } catch {}
  }
}

/** Returns the restarts by part; empty without a supervisor. */
export function readRestarts(dataDir: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), "utf8")) as Record<string, number>;
  } catch {
    return {};
  }
}
