import type { Table } from "#lib/contract/table";
import { createGrid, type GridDefinition } from "#lib/ml/features/grid";
import { numericValues } from "#lib/ml/table/columns";

/** What is known of a target: its column beside that of the times, and the grid that they lie on. */
export type KnownTarget = { known: Table; timestamp: string; target: string; grid: GridDefinition | null };

/** The actual value at the step of a time (epoch milliseconds), NaN where it is not known. */
export type ActualAt = (time: number) => number;

/** The target of a table by the step of its times; of a step that comes twice the later row. */
export function actualsOf({ known, timestamp, target, grid }: KnownTarget): ActualAt {
  const step = grid === null ? (time: number) => time : createGrid(grid).indexOf;
  const values = numericValues(known, target);
  const actualAt = new Map<number, number>();
  numericValues(known, timestamp).forEach((time, row) => {
    actualAt.set(step(time), values[row]!);
  });
  return (time) => actualAt.get(step(time)) ?? Number.NaN;
}
