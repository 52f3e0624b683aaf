"use client";

import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { chartSvg, svgToPng } from "#components/chart/chart-svg.ts";
import { csvLevels } from "#components/chart/columns.ts";
import type { Measure } from "#components/chart/lines.ts";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import type { Span } from "#components/chart/scale.ts";
import { Button } from "#components/ui/button.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";

type Format = "csv" | "levels" | "xlsx" | "png" | "svg";
const names: [Format, string][] = [
  ["csv", "CSV, all points in view"],
  ["levels", "CSV with 50, 80 and 95 % intervals"],
  ["xlsx", "Excel workbook"],
  ["png", "PNG image"],
  ["svg", "SVG image"],
];

/** Exports the comparison: all numbers, or the chart with title and legend in the current theme. */
export function ExportMenu({
  prepared,
  measure,
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
      const nameOf = (words: string, ending: string) =>
        `${words.replace(/[^\p{L}\p{N} ,()_.+-]+/gu, "_").slice(0, 120)}.${ending}`;
      if (format === "csv" || format === "levels") {
        const path = format === "csv" ? csvPath : `${csvPath}&levels=${csvLevels}`;
        return saveAs(await api.blob(path, "text/csv"), nameOf(csvTitle, "csv"));
      }
      if (format === "xlsx") return saveAs(await workbook(), nameOf(csvTitle, "xlsx"));
      const svg = chartSvg(prepared, { measure, title, span, bands, only });
      saveAs(
        format === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await svgToPng(svg),
        nameOf(title, format),
      );
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

function saveAs(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Some browsers read the object URL only after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
