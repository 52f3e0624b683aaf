import type { FigureTable } from "./figure-table.ts";
import type { Measurement } from "./measure.ts";
import type { ModelComparison } from "./model-table.ts";

export type Settings = {
  /** Small sizes, to see that everything runs; the numbers then mean little. */
  quick: boolean;
  rounds: number;
  /** Of the synthetic data: the same seed gives the same data everywhere. */
  seed: number;
  /** Says on standard error what is being done. */
  say(text: string): void;
};

/** Figures of a kind of their own. */
export type Figures = { what: string; table: FigureTable };

/** What a benchmark could not measure, and what to do about it. */
export type Skipped = { what: string; skipped: string };

/** Yields what it measured, one by one. */
export type Benchmark = (
  settings: Settings,
) => AsyncGenerator<Measurement | ModelComparison | Figures | Skipped>;
