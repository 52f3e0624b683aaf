import { Badge, type Tone } from "#components/ui/badge";
import { formatDateTime, formatInteger, formatNumber } from "#components/ui/format";
import { Table, Td, Th } from "#components/ui/table";
import type { Dataset } from "#lib/contract/datasets";
import { Distribution } from "./distribution.tsx";

type Role = Dataset["columns"][number]["role"];
/** Before a file is sent its columns have no role yet. */
export type DescribedColumn = Omit<Dataset["columns"][number], "role"> & { role?: Role };

/** So many are told at most. */
const categoriesTold = 1_000;

const roleTones: Record<Role, Tone> = {
  target: "accent",
  timestamp: "good",
  input: "neutral",
  excluded: "faint",
};

function extent(column: DescribedColumn): string {
  if (column.categories) {
    const { length } = column.categories;
    if (length === 1) return "1 value";
    return `${formatInteger(length)}${length === categoriesTold ? " or more" : ""} values`;
  }
  if (column.min === null || column.max === null) return "–";
  if (column.type === "boolean") return column.min === column.max ? String(column.min === 1) : "false, true";
  if (column.type === "timestamp") {
    return `${formatDateTime(new Date(column.min).toISOString())} – ${formatDateTime(new Date(column.max).toISOString())}`;
  }
  return `${formatNumber(column.min)} – ${formatNumber(column.max)}`;
}

/** What is in each column. */
export function ColumnTable({
  columns,
  rowCount,
}: {
  columns: readonly DescribedColumn[];
  rowCount: number;
}) {
  const hasRoles = columns.some(({ role }) => role !== undefined);
  return (
    <Table>
      <thead>
        <tr>
          <Th>Column</Th>
          {hasRoles && <Th>Role</Th>}
          <Th>Type</Th>
          <Th>Distribution</Th>
          <Th>Range</Th>
          <Th className="text-right">Mean</Th>
          <Th className="text-right">Missing</Th>
        </tr>
      </thead>
      <tbody className="figures">
        {columns.map((column) => (
          <tr key={column.name}>
            <Td className="font-medium">{column.name}</Td>
            {hasRoles && <Td>{column.role && <Badge tone={roleTones[column.role]}>{column.role}</Badge>}</Td>}
            <Td className="text-ink-soft">{column.type}</Td>
            <Td>
              <Distribution column={column} rowCount={rowCount} />
            </Td>
            <Td className="max-w-72 truncate whitespace-nowrap">{extent(column)}</Td>
            <Td className="text-right">{column.type === "timestamp" ? "–" : formatNumber(column.mean)}</Td>
            <Td className="text-right">{formatInteger(column.missing)}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
