"use client";

import { ZoomOut } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { DownloadMenu } from "#components/ui/download-menu.tsx";
import type { PreparedComparison } from "./prepare-comparison.ts";
import { type ImageOptions, imageItems } from "./save-chart.ts";
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
  return (
    <>
      {isZoomed && (
        <Button size="sm" onClick={onReset}>
          <ZoomOut className="size-3.5" /> Reset zoom
        </Button>
      )}
      <DownloadMenu
        label="Image"
        size="sm"
        disabled={!prepared}
        items={imageItems(prepared!, { ...options, span })}
      />
    </>
  );
}
