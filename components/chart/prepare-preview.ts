import type { SeriesCalendar } from "#components/time/period.ts";
import type { ScenarioPreview } from "#lib/contract/scenario-preview";
import { axisOf } from "./axis.ts";
import { type Band, bandOf, columnOf, differenceOf } from "./columns.ts";
import { baselineSeries, type ChartSeries, type PreparedComparison } from "./prepare-comparison.ts";
import { dashOf } from "./series-style.ts";

/** Preview of a scenario with edited inputs, and the colour of its line. */
export type Edited = { scenarioId: string; preview: ScenarioPreview; color: string };

/** Series ID of a preview; no scenario uses this ID. */
export const previewId = "preview";

/** Prepares a preview for the comparison chart: the scenario as baseline, and the preview with its bands. */
export function preparePreview(
  preview: ScenarioPreview,
  scenario: { id: string; title: string; color: string },
  previewColor: string,
  calendar?: SeriesCalendar,
): PreparedComparison {
  const [saved, edited] = [columnOf(preview.saved.values), columnOf(preview.preview.values)];
  return {
    ...axisOf(preview, calendar),
    series: [
      baselineSeries(scenario, saved, null),
      {
        id: previewId,
        title: "Edited",
        color: previewColor,
        dash: dashOf(1),
        isBaseline: false,
        values: edited,
        differences: differenceOf(edited, saved),
        cumulative: null,
        band: bandOf(preview.preview),
      },
    ],
  };
}

/**
 * Adds the preview of one of the compared scenarios as a line at the points of the comparison. The preview has their
 * buckets or all rows. Its differences are from the comparison's baseline.
 */
export function withPreview(
  prepared: PreparedComparison,
  { scenarioId, preview, color }: Edited,
): PreparedComparison {
  const { kind, xs, series } = prepared;
  const scenario = series.find(({ id }) => id === scenarioId);
  if (scenario === undefined) return prepared;
  const ownXs = kind === "time" ? axisOf(preview).xs : preview.saved.values.map((_, row) => row + 1);
  const places = new Map(Array.from(ownXs, (x, place) => [x, place]));
  const at = Array.from(xs, (x) => places.get(x) ?? -1);
  const taken = (column: Float64Array) => Float64Array.from(at, (place) => column[place] ?? Number.NaN);
  const takenBand = ({ lower, upper, inner }: Band): Band => ({
    lower: taken(lower),
    upper: taken(upper),
    ...(inner && { inner: takenBand(inner) }),
  });
  const values = taken(columnOf(preview.preview.values));
  const change = differenceOf(values, taken(columnOf(preview.saved.values)));
  const band = bandOf(preview.preview);
  const edited: ChartSeries = {
    id: previewId,
    title: `${scenario.title}, edited`,
    color,
    dash: dashOf(series.length),
    isBaseline: false,
    values,
    differences: scenario.differences?.map((difference, point) => difference + change[point]!) ?? null,
    cumulative: null,
    band: band && takenBand(band),
  };
  return { ...prepared, series: [...series, edited] };
}
