import type { ScenarioPreview } from "#lib/contract/scenario-preview";
import { axisOf } from "./axis.ts";
import { bandOf, columnOf, differenceOf } from "./columns.ts";
import { baselineSeries, type PreparedComparison } from "./prepare-comparison.ts";
import { dashOf } from "./series-style.ts";

/** Series ID of a preview; no scenario uses this ID. */
export const previewId = "preview";

/** Prepares a preview for the comparison chart: the scenario as baseline, and the preview with its bands. */
export function preparePreview(
  preview: ScenarioPreview,
  scenario: { id: string; title: string; color: string },
  previewColor: string,
): PreparedComparison {
  const [saved, edited] = [columnOf(preview.saved.values), columnOf(preview.preview.values)];
  return {
    ...axisOf(preview),
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
