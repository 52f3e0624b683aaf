"use client";

import { api } from "#components/api/client.ts";
import { type BucketChoice, bucketParams } from "#components/chart/bucket-state.ts";
import { csvLevels } from "#components/chart/columns.ts";
import { fileName, saveAs } from "#components/chart/save-chart.ts";
import { DownloadMenu } from "#components/ui/download-menu.tsx";
import type { Scenario } from "#lib/contract/scenarios";

/** Downloads predictions as CSV: with the inputs by row, or aggregated as the chart is. */
export function DownloadButton({
  scenario,
  run,
  choice,
}: {
  scenario: Scenario;
  /** Earlier run that the scenario shows. */
  run?: string;
  choice: BucketChoice;
}) {
  const aggregated = new URLSearchParams(bucketParams(choice)).toString();
  const save = async (...parameters: string[]) => {
    const query = [...parameters, ...(run === undefined ? [] : [`run=${run}`])].join("&");
    const path = `/projects/${scenario.projectId}/scenarios/${scenario.id}/predictions?${query}` as const;
    saveAs(await api.blob(path, "text/csv"), fileName(scenario.title, "csv"));
  };
  const unit = choice.bucket === "auto" ? "point of the chart" : choice.bucket;
  const byUnit = () => save(aggregated, `levels=${csvLevels}`);
  return (
    <DownloadMenu
      label="CSV"
      items={[
        ["Inputs and predictions", () => save()],
        ["With 50, 80, 90 and 95 % intervals", () => save(`levels=${csvLevels}`)],
        ...(aggregated === "" ? [] : [[`Predictions by ${unit}`, byUnit] as const]),
      ]}
    />
  );
}
