import type { Shown } from "#components/display/shown.ts";
import { formatSigned } from "#components/ui/format.ts";

export type GroupBar = {
  value: string;
  seriesCount: number;
  total: number | null;
  difference: number | null;
};

/** Ranked bars of groups: their totals, and with a comparison their differences from the baseline. Each opens its group. */
export function GroupBars({
  bars,
  colors,
  target,
  onOpen,
}: {
  bars: readonly GroupBar[];
  /** Colours of totals and of differences; no colour of differences without a comparison. */
  colors: { total: string; difference: string | null };
  target: Shown;
  onOpen(value: string): void;
}) {
  const totals = bars.map(({ total }) => total);
  const differences = bars.map(({ difference }) => difference);
  const format = target.formatOf(totals);
  const differenceFormat = target.formatOf(differences);
  const isCompared = colors.difference !== null;
  const [totalMax, differenceMax] = [largest(totals), largest(differences)];
  return (
    <ol className="text-[13px]">
      {bars.map(({ value, seriesCount, total, difference }) => (
        <li
          key={value}
          className={
            isCompared
              ? "grid grid-cols-[minmax(5rem,10rem)_minmax(0,1fr)_5rem] items-center gap-x-3 py-1.5 md:grid-cols-[minmax(6rem,12rem)_minmax(0,1fr)_5.5rem_minmax(0,1fr)_5.5rem]"
              : "grid grid-cols-[minmax(5rem,12rem)_minmax(0,1fr)_5.5rem] items-center gap-x-3 py-1.5"
          }
        >
          <span className="row-span-2 min-w-0 md:row-span-1">
            <button
              type="button"
              dir="auto"
              title={`Show only ${value || "series without a value"}`}
              className="block max-w-full truncate rounded-sm text-left text-accent underline"
              onClick={() => onOpen(value)}
            >
              {value || "none"}
            </button>
            <span className="block text-xs text-ink-faint">
              {seriesCount === 1 ? "1 series" : `${seriesCount.toLocaleString("en")} series`}
            </span>
          </span>
          <Bar value={total} max={totalMax} color={colors.total} />
          <span className="figures text-right">{total === null ? "–" : format(total)}</span>
          {colors.difference !== null && (
            <>
              <Bar value={difference} max={differenceMax} color={colors.difference} isSigned />
              <span className="figures text-right">
                {difference === null ? "–" : formatSigned(difference, differenceFormat)}
              </span>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

const largest = (values: readonly (number | null)[]) =>
  values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0) || 1;

/** A bar from the left, or from the centre for a signed value. */
function Bar({
  value,
  max,
  color,
  isSigned = false,
}: {
  value: number | null;
  max: number;
  color: string;
  isSigned?: boolean;
}) {
  const share = (100 * Math.abs(value ?? 0)) / max;
  const width = isSigned ? share / 2 : share;
  const left = isSigned ? ((value ?? 0) < 0 ? 50 - width : 50) : 0;
  return (
    <span className="relative block h-3.5" aria-hidden="true">
      <span className="absolute inset-y-0 w-px bg-line-strong" style={{ left: isSigned ? "50%" : 0 }} />
      <span
        className="absolute inset-y-0.5 rounded-sm"
        style={{ left: `${left}%`, width: `${Math.max(width, 0.3)}%`, backgroundColor: color }}
      />
    </span>
  );
}
