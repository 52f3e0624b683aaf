import type { Shown } from "#components/display/shown.ts";
import { formatInterval, formatPercent } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";
import { incompleteNote, pointLabel } from "./axis.ts";
import { type Measure, percentOf } from "./lines.ts";
import type { ChartSeries, PreparedComparison } from "./prepare-comparison.ts";
import { LISTED_MAX, type OutsideMark, outsideAt } from "./prepare-outside.ts";
import { SeriesMark } from "./series-mark.tsx";

const WIDTH_MAX = 380;
const WIDTH_WITH_INTERVALS = 500;
/** Width of the chart from which intervals and percentages have columns of their own. */
const WIDE_FROM = 640;
const GAP = 14;

/** Shows every series' value at the crosshair, and its absolute and percentage difference from the baseline. */
export function ChartTooltip({
  x,
  width,
  prepared,
  at,
  target,
  only,
  intervals,
  withDifferences,
  baselineText,
  outside,
}: {
  /** Position of the crosshair and width of the chart, in pixels. */
  x: number;
  width: number;
  prepared: PreparedComparison;
  /** Index of the point. */
  at: number;
  target: Shown;
  only?: readonly number[];
  /** Whether to show the prediction intervals. */
  intervals: boolean;
  withDifferences: boolean;
  /** Text beside the series that the others are compared with. */
  baselineText: string;
  outside: readonly OutsideMark[];
}) {
  const { series } = prepared;
  const place = prepared.xs[at]!;
  const incomplete = incompleteNote(prepared, at);
  const baseline = series.find(({ isBaseline }) => isBaseline);
  const percentText = ({ isBaseline, differences }: ChartSeries) =>
    isBaseline ? null : formatPercent(percentOf(differences?.[at], baseline?.values[at]));
  const outsides = outsideAt(outside, place);
  const hasIntervals = intervals && series.some(({ band }) => band !== null);
  const isWide = width >= WIDE_FROM;
  const widthMax = hasIntervals && isWide ? WIDTH_WITH_INTERVALS : WIDTH_MAX;
  const side = x > width / 2 ? { right: width - x + GAP } : { left: x + GAP };
  return (
    <div
      className="pointer-events-none absolute top-2 z-20 rounded-md border bg-raised px-3 py-2 text-xs shadow-lift"
      style={{ ...side, maxWidth: Math.min(widthMax, width - 16) }}
    >
      <p className="mb-1.5 font-medium">{pointLabel(prepared, place)}</p>
      <table className="figures">
        <tbody>
          {series.map((entry, index) =>
            only && !only.includes(index) ? null : (
              <tr key={entry.id}>
                <td className="pr-3">
                  <span className="flex items-center gap-2">
                    <SeriesMark color={entry.color} dash={entry.dash} />
                    <span className="line-clamp-2 max-w-44 [overflow-wrap:anywhere]">{entry.title}</span>
                  </span>
                </td>
                <td className="text-right font-medium whitespace-nowrap">
                  {target.text(entry.values[at])}
                  {hasIntervals && !isWide && entry.band && (
                    <span className="block font-normal text-ink-faint">
                      {intervalAt(entry, at, target.format)}
                    </span>
                  )}
                </td>
                {hasIntervals && isWide && (
                  <td className="pl-2 text-right whitespace-nowrap text-ink-faint">
                    {entry.band && intervalAt(entry, at, target.format)}
                  </td>
                )}
                {withDifferences && (
                  <>
                    <td className="pl-3 text-right whitespace-nowrap text-ink-faint">
                      {entry.isBaseline ? baselineText : target.signed(entry.differences?.[at])}
                      {!isWide && <span className="block">{percentText(entry)}</span>}
                    </td>
                    {isWide && (
                      <td className="pl-3 text-right whitespace-nowrap text-ink-faint">
                        {percentText(entry)}
                      </td>
                    )}
                  </>
                )}
              </tr>
            ),
          )}
        </tbody>
      </table>
      {hasIntervals && <p className="mt-1.5 text-ink-faint">Grey ranges: 90 % prediction intervals</p>}
      {incomplete && <p className="mt-1.5 text-ink-faint">{incomplete}</p>}
      {outsides.slice(0, LISTED_MAX).map(({ id, title, text }) => (
        <p key={id} className="mt-1.5 max-w-64 text-warn">
          {series.length > 1 && `${title}: `}
          {text}
        </p>
      ))}
      {outsides.length > LISTED_MAX && (
        <p className="mt-1.5 text-warn">and {counted(outsides.length - LISTED_MAX, "more scenario")}</p>
      )}
    </div>
  );
}

/** Formats the interval of a series at a point. */
export const intervalAt = ({ band }: Pick<ChartSeries, "band">, at: number, format: Shown["format"]) =>
  formatInterval(band?.lower[at], band?.upper[at], format);

/** Describes the point in words, for readers who cannot see the crosshair. */
export function describePoint(
  prepared: PreparedComparison,
  at: number,
  {
    measure,
    target,
    only,
    intervals,
  }: { measure: Measure; target: Shown; only?: readonly number[] | undefined; intervals: boolean },
): string {
  const parts = prepared.series.flatMap((entry, index) => {
    const { title, isBaseline, values, differences, cumulative, band } = entry;
    if (only && !only.includes(index)) return [];
    const interval = intervals && band ? ` (90 % interval ${intervalAt(entry, at, target.format)})` : "";
    const value = `${title} ${target.text(values[at])}${interval}`;
    const difference = differences?.[at] ?? Number.NaN;
    if (isBaseline || Number.isNaN(difference)) return value;
    if (measure === "cumulative") return `${value} (${target.signed(cumulative?.[at])} so far)`;
    return `${value} (${target.signed(difference)})`;
  });
  const note = incompleteNote(prepared, at);
  return `${pointLabel(prepared, prepared.xs[at]!)}${note ? ` (${note})` : ""}: ${parts.join(", ")}`;
}
