import type { Trained } from "./python-trainer.ts";

/** Result of one model, trained on `threads` threads. */
export type ModelFigures = Trained & { model: string; threads: number };

/** Results of several models on the same data. */
export type ModelComparison = { what: string; figures: ModelFigures[] };

export const MODEL_TITLES = ["data", "model", "threads", "RMSE", "MAE", "R²", "seconds", "memory"];
/** Indexes of the right-aligned columns. */
export const MODEL_RIGHT = new Set([2, 3, 4, 5, 6, 7]);

/**
 * Returns the table rows of a comparison. Errors are those of the held-out rows. Seconds are the minimum of the
 * repeats. Memory is the growth of the process.
 */
export function modelRows({ what, figures }: ModelComparison): string[][] {
  return figures.map(({ model, threads, rmse, mae, r2, ms, megabytes }, index) => [
    index === 0 ? what : "",
    model,
    String(threads),
    rmse.toPrecision(5),
    mae.toPrecision(5),
    r2.toFixed(4),
    (ms / 1_000).toPrecision(3),
    `${Math.round(megabytes).toLocaleString("en")} MB`,
  ]);
}
