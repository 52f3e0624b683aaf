import type { ReactNode } from "react";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import { DataTable } from "#components/ui/table.tsx";
import { axisName, type Labelled } from "./axis.ts";

type PointTableProps = {
  /** Name of the table for screen readers. */
  label: string;
  className: string;
  axis: Labelled;
  labelOf: (x: number) => string;
  columns: (readonly [title: string, cell: (at: number) => ReactNode])[];
};

/** Lists a chart's points as numbers, also for readers who cannot see the chart. */
export function PointTable({ label, className, axis, labelOf, columns }: PointTableProps) {
  return (
    <ScrollArea label={label} className={className}>
      <DataTable
        head="sticky top-0 bg-surface"
        rows={Array.from(axis.xs)}
        keyOf={(x) => x}
        columns={[
          [axisName(axis), labelOf, "whitespace-nowrap text-ink-soft"],
          ...columns.map(
            ([title, cell]) => [title, (_: number, at: number) => cell(at), "text-right"] as const,
          ),
        ]}
      />
    </ScrollArea>
  );
}
