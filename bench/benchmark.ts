import type { FigureTable } from "./figure-table.ts";
import type { Measurement } from "./measure.ts";

export type Settings = {
  /** Uses small sizes to check that everything runs. The numbers then mean little. */
  quick: boolean;
  /** Number of measured rounds. */
  rounds: number;
  /** Seed of the synthetic data. The same seed gives the same data on every machine. */
  seed: number;
  /** Writes a line about the progress to standard error. */
  log(text: string): void;
};

/** Results that are not times, as a table. */
export type Figures = { what: string; table: FigureTable };

/** Skipped measurement; `skipped` holds the reason or a hint how to enable it. */
export type Skipped = { what: string; skipped: string };

/** Yields each result as soon as it is available. */
export type Benchmark = (settings: Settings) => AsyncGenerator<Measurement | Figures | Skipped>;
