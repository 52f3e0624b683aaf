const classes = ["2xx", "3xx", "4xx", "5xx"] as const;
type StatusClass = (typeof classes)[number];

/** Counts the answers of each operation by class of status. */
export class Tally {
  readonly #counts = new Map<string, Record<StatusClass, number>>();
  #requests = 0;

  constructor(operations: Iterable<string>) {
    for (const operationId of operations) {
      this.#counts.set(operationId, { "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0 });
    }
  }

  get requests(): number {
    return this.#requests;
  }

  count(operationId: string, status: number): void {
    this.#requests += 1;
    this.#counts.get(operationId)![`${Math.floor(status / 100)}xx` as StatusClass] += 1;
  }

  /** Operations that have never succeeded. */
  neverSucceeded(): string[] {
    return [...this.#counts].filter(([, counts]) => counts["2xx"] === 0).map(([operationId]) => operationId);
  }

  /** Formats one line per operation, and a line with the totals. */
  table(): string {
    const line = (name: string, counts: Record<StatusClass, number>) =>
      [name.padEnd(24), ...classes.map((one) => String(counts[one]).padStart(8))].join("");
    const all = { "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0 };
    for (const counts of this.#counts.values()) for (const one of classes) all[one] += counts[one];
    const head = ["operation".padEnd(24), ...classes.map((one) => one.padStart(8))].join("");
    return [head, ...[...this.#counts].map(([name, counts]) => line(name, counts)), line("all", all)].join(
      "\n",
    );
  }
}
