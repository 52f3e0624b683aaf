"use client";

import { api } from "#components/api/client.ts";
import { csvLevels } from "#components/chart/columns.ts";
import type { Measure } from "#components/chart/lines.ts";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { fileName, imageItems, saveAs } from "#components/chart/save-chart.ts";
import type { Span } from "#components/chart/scale.ts";
import type { Shown } from "#components/display/shown.ts";
import { DownloadMenu } from "#components/ui/download-menu.tsx";

/** Exports the comparison: all numbers, or the chart with title and legend in the current theme. */
export function ExportMenu({
  prepared,
  measure,
  target,
  title,
  csvTitle,
  span,
  bands,
  only,
  csvPath,
  workbook,
}: {
  prepared: PreparedComparison;
  measure: Measure;
  target: Shown;
  /** Title of the image. */
  title: string;
  /** Name of the CSV file and the workbook, which include hidden series. */
  csvTitle: string;
  span: Span;
  bands: boolean;
  /** Indexes of the series in the image; all series without it. */
  only: readonly number[] | undefined;
  csvPath: string;
  workbook(): Promise<Blob>;
}) {
  const csv = async (path: string) => saveAs(await api.blob(path, "text/csv"), fileName(csvTitle, "csv"));
  return (
    <DownloadMenu
      label="Export"
      size="sm"
      items={[
        ["CSV, all points in view", () => csv(csvPath)],
        ["CSV with 50, 80, 90 and 95 % intervals", () => csv(`${csvPath}&levels=${csvLevels}`)],
        ["Excel workbook", async () => saveAs(await workbook(), fileName(csvTitle, "xlsx"))],
        ...imageItems(prepared, { measure, target, title, span, bands, only }),
      ]}
    />
  );
}
