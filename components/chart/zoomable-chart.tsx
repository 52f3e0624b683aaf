"use client";

import type { ComponentProps } from "react";
import { ComparisonChart } from "./comparison-chart.tsx";
import { RangeBrush } from "./range-brush.tsx";
import type { ShownSpan } from "./use-span.ts";

/** Chart of loaded points that zooms and pans, with its full range below. */
export function ZoomableChart({
  zoom: { span, onSpan, onReset },
  ...chart
}: { zoom: ShownSpan } & Omit<ComponentProps<typeof ComparisonChart>, "span" | "onSpan" | "onReset">) {
  return (
    <>
      <ComparisonChart {...chart} {...{ span, onSpan, onReset }} />
      <div className="mt-2 print:hidden">
        <RangeBrush overview={chart.prepared} span={span} onSpan={onSpan} />
      </div>
    </>
  );
}
