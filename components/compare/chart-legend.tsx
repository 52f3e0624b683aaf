import type { PreparedComparison } from "#components/chart/prepare-comparison";
import { SeriesMark } from "#components/chart/series-mark";
import { dashOf, markerOf } from "#components/chart/series-style";

/** Which line is whose, as it is drawn. */
export function ChartLegend({ prepared }: { prepared: PreparedComparison }) {
  return (
    <ul className="flex max-h-24 flex-wrap gap-x-5 gap-y-1 overflow-y-auto pt-1 pr-4 pb-3 pl-16 text-xs text-ink-soft">
      {prepared.series.map(({ id, title, color, dash, isBaseline }, index) => (
        <li key={id} className="flex min-w-0 items-center gap-2">
          <SeriesMark
            color={color}
            dash={dash}
            marker={prepared.series.length > 1 && dash === dashOf(index) ? markerOf(index) : -1}
          />
          <span dir="auto" className="max-w-56 truncate" title={title}>
            {title}
          </span>
          {isBaseline && <span className="text-ink-faint">baseline</span>}
        </li>
      ))}
    </ul>
  );
}
