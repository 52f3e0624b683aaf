"use client";

import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { csvLevels } from "#components/chart/columns.ts";
import type { Measure } from "#components/chart/lines.ts";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { fileName, type ImageFormat, imageFormats, saveAs, saveChart } from "#components/chart/save-chart.ts";
import type { Span } from "#components/chart/scale.ts";
import type { Shown } from "#components/display/shown.ts";
import { Button } from "#components/ui/button.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";

type Format = "csv" | "levels" | "xlsx" | ImageFormat;
const names: (readonly [Format, string])[] = [
  ["csv", "CSV, all points in view"],
  ["levels", "CSV with 50, 80 and 95 % intervals"],
  ["xlsx", "Excel workbook"],
  ...imageFormats,
];

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
  const save = useMutation({
    mutationFn: async (format: Format) => {
      if (format === "csv" || format === "levels") {
        const path = format === "csv" ? csvPath : `${csvPath}&levels=${csvLevels}`;
        return saveAs(await api.blob(path, "text/csv"), fileName(csvTitle, "csv"));
      }
      if (format === "xlsx") return saveAs(await workbook(), fileName(csvTitle, "xlsx"));
      await saveChart(format, prepared, { measure, target, title, span, bands, only });
    },
    onError: (error) => toast.error(error.message),
  });
  return (
    <Menu
      trigger={
        <Button size="sm" busy={save.isPending}>
          <Download className="size-3.5" /> Export
        </Button>
      }
    >
      {names.map(([format, name]) => (
        <MenuItem key={format} onSelect={() => save.mutate(format)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}
