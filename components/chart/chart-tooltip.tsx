import { formatNumber, formatSigned } from "#components/ui/format";
import { type AxisKind, pointLabel } from "./axis.tsx";
import type { ChartPoint, ChartSeries } from "./prepare-comparison.tsx";
import { type OutsideMark, outsideAt } from "./prepare-outside.tsx";
import { SeriesMark } from "./series-mark.tsx";

/** The crosshair's card: every series' value, and its difference from the baseline. */
export function ChartTooltip({
  active,
  point,
  kind,
  series,
  withDifferences,
  outside = [],
}: {
  active: boolean;
  point: ChartPoint | undefined;
  kind: AxisKind;
  series: ChartSeries[];
  withDifferences: boolean;
  outside?: readonly OutsideMark[];
}) {
  if (!active || !point) return null;
  return (
    <div className="rounded-md border bg-raised px-3 py-2 text-xs shadow-lift">
      <p className="mb-1.5 font-medium">{pointLabel(kind, point.x)}</p>
      <table className="figures">
        <tbody>
          {series.map((entry, index) => (
            <tr key={entry.id}>
              <td className="pr-3">
                <span className="flex items-center gap-2">
                  <SeriesMark color={entry.color} dash={entry.dash} />
                  <span className="max-w-44 truncate">{entry.title}</span>
                </span>
              </td>
              <td className="text-right font-medium">{formatNumber(point[`v${index}`])}</td>
              {withDifferences && (
                <td className="pl-3 text-right text-ink-faint">
                  {entry.isBaseline ? "baseline" : formatSigned(point[`d${index}`])}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {outsideAt(outside, point.x).map(({ id, title, text }) => (
        <p key={id} className="mt-1.5 max-w-64 text-warn">
          {series.length > 1 && `${title}: `}
          {text}
        </p>
      ))}
    </div>
  );
}
