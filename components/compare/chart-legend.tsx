import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { SeriesMark } from "#components/chart/series-mark.tsx";
import { dashOf, markerOf } from "#components/chart/series-style.ts";
import { classNames } from "#components/ui/class-names.ts";

/** Legend with a button per series that hides or shows its line. */
export function ChartLegend({
  prepared,
  shown,
  onHidden,
}: {
  prepared: PreparedComparison;
  /** Indexes of the drawn series; all series without it. */
  shown: readonly number[] | undefined;
  onHidden(ids: string[]): void;
}) {
  const isShown = (index: number) => shown?.includes(index) ?? true;
  const toggle = (toggled: number) =>
    onHidden(
      prepared.series.filter((_, index) => isShown(index) === (index === toggled)).map(({ id }) => id),
    );
  return (
    <ul className="flex max-h-40 flex-wrap gap-x-2 gap-y-0.5 overflow-y-auto sm:max-h-24 pt-1 pr-4 pb-3 pl-[57px] text-xs text-ink-soft">
      {prepared.series.map(({ id, title, color, dash, isBaseline }, index) => (
        <li key={id} className="min-w-0">
          <button
            type="button"
            aria-pressed={isShown(index)}
            title={`${isShown(index) ? "Hide" : "Show"} ${title}`}
            onClick={() => toggle(index)}
            className={classNames(
              "flex max-w-full items-center gap-2 rounded-md px-2 py-1 hover:bg-sunken",
              !isShown(index) && "text-ink-faint line-through *:first:opacity-40",
            )}
          >
            <SeriesMark
              color={color}
              dash={dash}
              marker={prepared.series.length > 1 && dash === dashOf(index) ? markerOf(index) : -1}
            />
            <span dir="auto" className="max-w-56 truncate">
              {title}
            </span>
            {isBaseline && <span className="text-ink-faint">baseline</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Returns the indexes of the visible series. Returns undefined if all are visible, or if a link hides every series. */
export function shownSeries(
  { series }: PreparedComparison,
  hidden: readonly string[],
): readonly number[] | undefined {
  const shown = [...series.keys()].filter((index) => !hidden.includes(series[index]!.id));
  return shown.length === 0 || shown.length === series.length ? undefined : shown;
}
