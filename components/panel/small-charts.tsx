import { ComparisonChart } from "#components/chart/comparison-chart.tsx";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";

export type SmallChart = {
  key: string;
  title: string;
  /** A short fact below the title. */
  hint: string;
  /** Description of the lines for readers who cannot see them. */
  label: string;
  prepared: PreparedComparison;
  bands?: boolean;
  /** Shows the parts of this one. */
  onOpen?: () => void;
};

/** Number of small charts at first, and that a click adds. */
export const CHARTS_STEP = 12;

const height = 150;

/** Draws a small chart for each part. Each has its own scale, because a small part would be flat beside a large one. */
export function SmallCharts({ charts }: { charts: readonly SmallChart[] }) {
  return (
    <ul className="grid grid-cols-1 gap-x-4 gap-y-5 sm:grid-cols-2 xl:grid-cols-3">
      {charts.map(({ key, title, hint, label, prepared, bands = false, onOpen }) => (
        <li key={key} className="min-w-0 break-inside-avoid">
          <h3 dir="auto" className="truncate text-[13px] font-medium" title={title}>
            {onOpen ? (
              <button
                type="button"
                title={`Show only ${title}`}
                className="max-w-full truncate rounded-sm text-left text-accent underline"
                onClick={onOpen}
              >
                {title}
              </button>
            ) : (
              title
            )}
          </h3>
          <p className="figures truncate text-xs text-ink-faint" title={hint}>
            {hint}
          </p>
          <ComparisonChart
            prepared={prepared}
            measure="value"
            bands={bands}
            height={height}
            label={label}
            withDifferences={prepared.series.length > 1}
          />
        </li>
      ))}
    </ul>
  );
}
