import { Fragment } from "react";
import type { CsvPreview } from "#components/csv/preview-csv.ts";
import { formatNumber } from "#components/ui/format.ts";
import { DataTable } from "#components/ui/table.tsx";
import { counted } from "#lib/contract/counted";
import type { Column, Table as Columns } from "#lib/contract/table";
import { ColumnTable, type KnownColumns } from "./column-table.tsx";

const shownAtFirst = 8;

/** Previews a file: the first rows, and each column's content next to its known range. */
export function FilePreview({
  preview: { firstRows, profile, rowCount, rowsAfterJoining },
  known = null,
}: {
  preview: CsvPreview;
  known?: KnownColumns | null;
}) {
  if (profile.length === 0) return null;
  return (
    <>
      <TablePreview table={firstRows} />
      <div className="rounded-md border">
        <ColumnTable
          columns={profile}
          rowCount={rowsAfterJoining ?? rowCount}
          known={known}
          shownAtFirst={shownAtFirst}
        />
      </div>
    </>
  );
}

/** Maximum number of columns shown; a file may have ten thousand. */
const shownColumns = 50;

function cell(column: Column, row: number): string {
  if (column.type === "category") return column.categories[column.codes[row] ?? -1] ?? "";
  const value = column.values[row];
  if (value === undefined || Number.isNaN(value)) return "";
  if (column.type === "timestamp") return new Date(value).toISOString().slice(0, 16).replace("T", " ");
  if (column.type === "boolean") return value === 1 ? "true" : "false";
  return formatNumber(value);
}

/** Shows the first rows as parsed, with the type of each column. */
function TablePreview({ table: { rowCount, columns: all } }: { table: Columns }) {
  const columns = all.slice(0, shownColumns);
  return (
    <div className="rounded-md border">
      <DataTable
        rows={Array.from({ length: rowCount }, (_, row) => row)}
        keyOf={(row) => row}
        columns={columns.map((column) => [
          <Fragment key={column.name}>
            {column.name}
            <span className="block font-normal text-ink-faint">{column.type}</span>
          </Fragment>,
          (row: number) => cell(column, row),
          "whitespace-nowrap",
        ])}
      />
      {all.length > columns.length && (
        <p className="border-t px-5 py-2 text-xs text-ink-faint">
          The first {shownColumns} of {counted(all.length, "column")}.
        </p>
      )}
    </div>
  );
}
