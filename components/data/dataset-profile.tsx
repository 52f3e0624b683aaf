import { WarningList } from "#components/csv/fault-list";
import { Badge, type Tone } from "#components/ui/badge";
import { formatDateTime, formatInteger, formatNumber } from "#components/ui/format";
import { Table, Td, Th } from "#components/ui/table";
import type { Dataset } from "#lib/contract/datasets";
import { Histogram } from "./histogram.tsx";

const roleTones: Record<Dataset["columns"][number]["role"], Tone> = {
  target: "accent",
  timestamp: "good",
  input: "neutral",
  excluded: "warn",
};

const frequencies: Record<string, string> = {
  PT1H: "hourly",
  P1D: "daily",
  P7D: "weekly",
  P1M: "monthly",
  PT15M: "every 15 minutes",
  P1Y: "yearly",
};

function extent(column: Dataset["columns"][number]): string {
  if (column.categories)
    return column.categories.slice(0, 4).join(", ") + (column.categories.length > 4 ? ", …" : "");
  if (column.min === null || column.max === null) return "–";
  if (column.type === "boolean") return column.min === column.max ? String(column.min === 1) : "false, true";
  if (column.type === "timestamp") {
    return `${formatDateTime(new Date(column.min).toISOString())} – ${formatDateTime(new Date(column.max).toISOString())}`;
  }
  return `${formatNumber(column.min)} – ${formatNumber(column.max)}`;
}

export function DatasetProfile({ dataset }: { dataset: Dataset }) {
  const facts: [string, string][] = [
    ["Rows", formatInteger(dataset.rowCount)],
    ["Target", dataset.target],
    ["Frequency", dataset.frequency ? (frequencies[dataset.frequency] ?? dataset.frequency) : "none"],
    ["From", dataset.firstTimestamp ? formatDateTime(dataset.firstTimestamp) : "–"],
    ["To", dataset.lastTimestamp ? formatDateTime(dataset.lastTimestamp) : "–"],
  ];
  return (
    <>
      <dl className="grid grid-cols-2 gap-4 px-5 pb-4 sm:grid-cols-5">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-ink-faint">{name}</dt>
            <dd className="figures truncate font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      {dataset.warnings.length > 0 && (
        <div className="px-5 pb-4">
          <WarningList warnings={dataset.warnings} />
        </div>
      )}
      <Table>
        <thead>
          <tr>
            <Th>Column</Th>
            <Th>Role</Th>
            <Th>Type</Th>
            <Th>Distribution</Th>
            <Th>Range</Th>
            <Th className="text-right">Mean</Th>
            <Th className="text-right">Missing</Th>
          </tr>
        </thead>
        <tbody className="figures">
          {dataset.columns.map((column) => (
            <tr key={column.name}>
              <Td className="font-medium">{column.name}</Td>
              <Td>
                <Badge tone={roleTones[column.role]}>{column.role}</Badge>
              </Td>
              <Td className="text-ink-soft">{column.type}</Td>
              <Td>
                {column.histogram && (
                  <Histogram counts={column.histogram} label={`Distribution of ${column.name}`} />
                )}
              </Td>
              <Td className="max-w-72 truncate whitespace-nowrap">{extent(column)}</Td>
              <Td className="text-right">{column.type === "timestamp" ? "–" : formatNumber(column.mean)}</Td>
              <Td className="text-right">{formatInteger(column.missing)}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}
