import type { CsvPreview } from "#components/csv/preview-csv.ts";
import { TablePreview } from "#components/csv/table-preview.tsx";
import { ColumnTable, type KnownColumns } from "./column-table.tsx";

const shownAtFirst = 8;

/** Previews a file: the first rows, and each column's content next to its known range. */
export function FilePreview({
  preview: { firstRows, profile, rowCount, joinedRows },
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
          rowCount={joinedRows ?? rowCount}
          known={known}
          shownAtFirst={shownAtFirst}
        />
      </div>
    </>
  );
}
