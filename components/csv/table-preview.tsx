import { formatNumber } from "#components/ui/format";
import { Table, Td, Th } from "#components/ui/table";
import type { Column, Table as Columns } from "#lib/contract/table";

const shownRows = 8;

function cell(column: Column, row: number): string {
  if (column.type === "category") return column.categories[column.codes[row] ?? -1] ?? "";
  const value = column.values[row];
  if (value === undefined || Number.isNaN(value)) return "";
  if (column.type === "timestamp") return new Date(value).toISOString().slice(0, 16).replace("T", " ");
  if (column.type === "boolean") return value === 1 ? "true" : "false";
  return formatNumber(value);
}

/** The first rows as they were understood, with the type of each column. */
export function TablePreview({ table }: { table: Columns }) {
  const rows = Array.from({ length: Math.min(shownRows, table.rowCount) }, (_, row) => row);
  return (
    <div className="rounded-md border">
      <Table>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <Th key={column.name}>
                {column.name}
                <span className="block font-normal text-ink-faint">{column.type}</span>
              </Th>
            ))}
          </tr>
        </thead>
        <tbody className="figures">
          {rows.map((row) => (
            <tr key={row}>
              {table.columns.map((column) => (
                <Td key={column.name} className="whitespace-nowrap">
                  {cell(column, row)}
                </Td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
