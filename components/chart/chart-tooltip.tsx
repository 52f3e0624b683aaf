import { formatNumber, formatPercent, formatSigned } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";
import { type AxisKind, pointLabel } from "./axis.ts";
import { type Measure, percentOf } from "./lines.ts";
import type { ChartPoint, ChartSeries, PreparedComparison } from "./prepare-comparison.ts";
import { LISTED_MAX, type OutsideMark, outsideAt } from "./prepare-outside.ts";
import { SeriesMark } from "./series-mark.tsx";

const WIDTH_MAX = 380;
const GAP = 14;

/** The crosshair's card: every series' value, and its difference from the baseline, plain and in per cent. */
export function ChartTooltip({
  x,
  width,
  point,
  kind,
  series,
  only,
  withDifferences,
  outside,
}: {
  /** Where the crosshair is, and how wide the chart; in pixels. */
  x: number;
  width: number;
  point: ChartPoint;
  kind: AxisKind;
  series: readonly ChartSeries[];
  only?: readonly number[];
  withDifferences: boolean;
  outside: readonly OutsideMark[];
}) {
  const baseline = series.findIndex(({ isBaseline }) => isBaseline);
  const outsides = outsideAt(outside, point.x);
  const side = x > width / 2 ? { right: width - x + GAP } : { left: x + GAP };
  return (
    <div
      className="pointer-events-none absolute top-2 z-20 rounded-md border bg-raised px-3 py-2 text-xs shadow-lift"
      style={{ ...side, maxWidth: Math.min(WIDTH_MAX, width - 16) }}
    >
      <p className="mb-1.5 font-medium">{pointLabel(kind, point.x)}</p>
      <table className="figures">
        <tbody>
          {series.map((entry, index) =>
            only && !only.includes(index) ? null : (
              <tr key={entry.id}>
                <td className="pr-3">
                  <span className="flex items-center gap-2">
                    <SeriesMark color={entry.color} dash={entry.dash} />
                    <span className="max-w-44 truncate">{entry.title}</span>
                  </span>
                </td>
                <td className="text-right font-medium">{formatNumber(point[`v${index}`])}</td>
                {withDifferences && (
                  <>
                    <td className="pl-3 text-right text-ink-faint">
                      {entry.isBaseline ? "baseline" : formatSigned(point[`d${index}`])}
                    </td>
                    <td className="pl-3 text-right text-ink-faint">
                      {!entry.isBaseline &&
                        formatPercent(percentOf(point[`d${index}`], point[`v${baseline}`]))}
                    </td>
                  </>
                )}
              </tr>
            ),
          )}
        </tbody>
      </table>
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

/** The same in words, for those who move the crosshair without seeing it. */
export function describePoint(
  { kind, series }: PreparedComparison,
  point: ChartPoint,
  measure: Measure,
  only?: readonly number[],
): string {
  const parts = series.flatMap(({ title, isBaseline }, index) => {
    if (only && !only.includes(index)) return [];
    const value = `${title} ${formatNumber(point[`v${index}`])}`;
    if (isBaseline || point[`d${index}`] == null) return value;
    if (measure === "cumulative") return `${value} (${formatSigned(point[`c${index}`])} so far)`;
    return `${value} (${formatSigned(point[`d${index}`])})`;
  });
  return `${pointLabel(kind, point.x)}: ${parts.join(", ")}`;
}
