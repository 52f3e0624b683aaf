import type { ReactNode } from "react";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import { Table, Td, Th } from "#components/ui/table.tsx";
import { axisName, type ChartAxis } from "./axis.ts";

type PointTableProps = {
  /** Name of the table for screen readers. */
  label: string;
  className: string;
  axis: Pick<ChartAxis, "kind" | "xs" | "buckets">;
  labelOf: (x: number) => string;
  columns: { id: string; title: string; cell: (at: number) => ReactNode }[];
};

/** Lists a chart's points as numbers, also for readers who cannot see the chart. */
export function PointTable({ label, className, axis, labelOf, columns }: PointTableProps) {
  return (
    <ScrollArea label={label} className={className}>
      <Table>
        <thead className="sticky top-0 bg-surface">
          <tr>
            <Th>{axisName(axis)}</Th>
            {columns.map(({ id, title }) => (
              <Th key={id} className="text-right">
                {title}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody className="figures">
          {Array.from(axis.xs, (x, at) => (
            <tr key={x}>
              <Td className="whitespace-nowrap text-ink-soft">{labelOf(x)}</Td>
              {columns.map(({ id, cell }) => (
                <Td key={id} className="text-right">
                  {cell(at)}
                </Td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollArea>
  );
}
