"use client";

import { useMutation } from "@tanstack/react-query";
import { Download, ZoomOut } from "lucide-react";
import { toast } from "sonner";
import { Button } from "#components/ui/button.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import type { PreparedComparison } from "./prepare-comparison.ts";
import { type ImageFormat, type ImageOptions, imageFormats, saveChart } from "./save-chart.ts";
import type { ShownSpan } from "./use-span.ts";

/**
 * Buttons of a zoomable chart: back to the full range, and the shown span as an image. They take their space before the
 * points are loaded.
 */
export function ChartActions({
  zoom: { span, isZoomed, onReset },
  prepared,
  ...options
}: { zoom: ShownSpan; prepared: PreparedComparison | undefined } & Omit<ImageOptions, "span">) {
  const save = useMutation({
    mutationFn: (format: ImageFormat) => saveChart(format, prepared!, { ...options, span }),
    onError: (error) => toast.error(error.message),
  });
  return (
    <>
      {isZoomed && (
        <Button size="sm" className="!h-8" onClick={onReset}>
          <ZoomOut className="size-3.5" /> Reset zoom
        </Button>
      )}
      <Menu
        trigger={
          <Button size="sm" className="!h-8" busy={save.isPending} disabled={!prepared}>
            <Download className="size-3.5" /> Image
          </Button>
        }
      >
        {imageFormats.map(([format, name]) => (
          <MenuItem key={format} onSelect={() => save.mutate(format)}>
            {name}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
