import type { IntervalShape } from "#lib/contract/interval-shape";
import { type PanelPoints, panelPoints } from "#lib/domain/comparison/panel-points";
import type { StoredPair } from "#lib/domain/comparison/shared-points";
import { boundsAt } from "#lib/domain/scenarios/chunks/bounds-at";
import {
  type Bounds,
  boundsOfRows,
  type TimedPredictions,
} from "#lib/domain/scenarios/chunks/read-predictions";
import { boundsOfChosen, boundsOfShown, type ChosenPanel } from "#lib/domain/scenarios/panel/shown-scenarios";
import { sumBounds } from "#lib/engine/panel/sum-bounds";
import { sumSeries } from "#lib/engine/panel/sum-series";
import type { Context } from "#lib/platform/context/context";
import type { OpenSpan } from "./open-span.ts";
import type { AdjustedPredictions } from "./predict-adjusted.ts";

type Side = {
  /** Points of the chart. */
  points: TimedPredictions;
  shape: IntervalShape | null;
  boundsAt(points: Int32Array): Bounds | Promise<Bounds>;
};

/** The predictions that a preview shows: those of the scenario, and those with adjusted inputs. */
export type PreviewSides = {
  sides: readonly [Side, Side];
  /** Rows of both, and how those of many series are matched. */
  stored: StoredPair;
  panel: PanelPoints | null;
};

/** Returns both sides of a preview: rows of one series, or sums of the chosen series of many. */
export function previewSides(
  ctx: Context,
  { row, few, rowsInSpan }: Pick<OpenSpan, "row" | "few" | "rowsInSpan">,
  saved: TimedPredictions,
  predicted: AdjustedPredictions,
): PreviewSides {
  const { scenario } = row;
  const { timestamps } = saved;
  const shape = predicted.intervals;
  if (few === null) {
    const preview = { prediction: predicted.prediction, timestamps };
    return {
      sides: [
        { points: saved, shape: scenario.intervals, boundsAt: (rows) => boundsAt(ctx.db, scenario, rows) },
        { points: preview, shape, boundsAt: (rows) => boundsOfRows(predicted, rows) },
      ],
      stored: [saved, preview],
      panel: null,
    };
  }
  // The predicted rows take their places among all rows, so that the sums are those of a scenario with these predictions.
  const placed = (values: Float64Array | null, all: Float64Array) => {
    if (values === null) return null;
    const result = all.slice();
    rowsInSpan.forEach((one, at) => {
      result[one] = values[at]!;
    });
    return result;
  };
  const unknown = new Float64Array(saved.prediction.length).fill(Number.NaN);
  const prediction = placed(predicted.prediction, saved.prediction)!;
  const [lower, upper] = [placed(predicted.lower, unknown), placed(predicted.upper, unknown)];
  const sumOf = (chosen: ChosenPanel) => sumSeries(chosen.panel, chosen.prediction, chosen.chosen);
  const preview = { ...few, prediction };
  const bounds = boundsOfChosen(preview, {
    ofRows: (rows) => boundsOfRows({ lower, upper }, rows),
    ofSums: async () =>
      upper &&
      ((groupOf, count) =>
        sumBounds(few.panel, { prediction, upper }, groupOf, { count, places: few.places, shape })),
  });
  const savedPoints = sumOf(few);
  return {
    sides: [
      {
        points: savedPoints,
        shape: scenario.intervals,
        boundsAt: boundsOfShown(ctx, { row, points: savedPoints, panel: few }),
      },
      { points: sumOf(preview), shape, boundsAt: bounds },
    ],
    stored: [saved, { prediction, timestamps }],
    panel: panelPoints([{ panel: few }, { panel: preview }]),
  };
}
