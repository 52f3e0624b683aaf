import { type ReactNode, useMemo } from "react";
import { ComparisonChart } from "#components/chart/comparison-chart.tsx";
import { prepareSeries } from "#components/chart/prepare-series.ts";
import { useCalendar } from "#components/display/displays.tsx";
import { palette } from "#components/ui/palette.ts";
import type { CheckpointRecord } from "#lib/contract/actuals";

type Points = Pick<CheckpointRecord, "timestamps" | "actual" | "predicted" | "lower" | "upper" | "baseline">;

/** Draws predictions with their band, and the actual values. */
export function RecordChart({
  points,
  title,
  label,
  children,
}: {
  points: Points;
  /** Name of the predictions. */
  title: string;
  /** Description for readers who cannot see the chart. */
  label: string;
  /** Explains the lines. */
  children: ReactNode;
}) {
  const calendar = useCalendar();
  const prepared = useMemo(() => {
    const style = { id: "predicted", title, color: palette[0] ?? "var(--accent)" };
    return prepareSeries({ ...points, values: points.predicted }, style, calendar);
  }, [points, title, calendar]);
  return (
    <div className="px-2 pb-3">
      <ComparisonChart
        prepared={prepared}
        measure="value"
        bands
        height={260}
        label={label}
        withDifferences={false}
      />
      <p className="pl-[64px] text-xs text-ink-faint">{children}</p>
    </div>
  );
}
