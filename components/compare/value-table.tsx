import { rowLabels } from "#components/chart/axis.ts";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { formatNumber, formatSigned } from "#components/ui/format.ts";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import { Table, Td, Th } from "#components/ui/table.tsx";

/** The chart's points as numbers: for reading off, and for those who cannot see the chart. */
export function ValueTable({ prepared }: { prepared: PreparedComparison }) {
  const label = rowLabels(
    prepared.kind,
    prepared.points.map(({ x }) => x),
  );
  return (
    <ScrollArea label="Values" className="max-h-120">
      <Table>
        <thead className="sticky top-0 bg-surface">
          <tr>
            <Th>{prepared.kind === "time" ? "Time (UTC)" : "Row"}</Th>
            {prepared.series.map((series) => (
              <Th key={series.id} className="text-right">
                {series.title}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody className="figures">
          {prepared.points.map((point) => (
            <tr key={point.x}>
              <Td className="whitespace-nowrap text-ink-soft">{label(point.x)}</Td>
              {prepared.series.map((series, index) => (
                <Td key={series.id} className="text-right">
                  {formatNumber(point[`v${index}`])}
                  {!series.isBaseline && (
                    <span className="ml-2 text-xs text-ink-faint">{formatSigned(point[`d${index}`])}</span>
                  )}
                </Td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollArea>
  );
}
