import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { SeriesMark } from "#components/chart/series-mark.tsx";
import { markerOf } from "#components/chart/series-style.ts";
import { differenceText } from "#components/compare/difference-text.ts";
import { useTarget } from "#components/display/displays.tsx";
import { formatInterval, formatPercent, formatSigned } from "#components/ui/format.ts";
import { Table, Td, Th } from "#components/ui/table.tsx";
import type { Comparison } from "#lib/contract/scenario-series";

/** Lists each scenario's sum and its difference from the baseline. */
export function SharedTotals({
  comparison,
  prepared,
}: {
  comparison: Comparison;
  prepared: PreparedComparison;
}) {
  const target = useTarget();
  const format = target.formatOf(comparison.series.map(({ totalDifference }) => totalDifference));
  return (
    <Table>
      <thead>
        <tr>
          <Th>Scenario</Th>
          <Th className="text-right">{target.head("Sum, 90 % interval")}</Th>
          <Th className="text-right">{target.head("Difference")}</Th>
          <Th className="text-right">Difference (%)</Th>
        </tr>
      </thead>
      <tbody className="figures">
        {comparison.series.map((series, index) => {
          const scenario = comparison.scenarios[index];
          const look = prepared.series[index];
          if (!scenario || !look) return null;
          const { sum, sumInterval } = series.summary ?? scenario.summary;
          return (
            <tr key={scenario.id}>
              <Td>
                <span className="flex min-w-44 items-center gap-2.5 font-medium [overflow-wrap:anywhere]">
                  <SeriesMark color={look.color} dash={look.dash} marker={markerOf(index)} />
                  <span dir="auto">{scenario.title}</span>
                </span>
              </Td>
              <Td className="text-right whitespace-nowrap">
                {target.format(sum)}
                {sumInterval && (
                  <span className="block text-xs text-ink-faint">
                    {formatInterval(sumInterval.lower, sumInterval.upper, target.format)}
                  </span>
                )}
              </Td>
              <Td className="text-right">
                {look.isBaseline ? "baseline" : formatSigned(series.totalDifference, format)}
                {!look.isBaseline && (
                  <span className="block text-xs text-ink-faint">{differenceText(series, format)}</span>
                )}
              </Td>
              <Td className="text-right">
                {look.isBaseline ? "–" : formatPercent(series.percentDifference)}
              </Td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
