import type { Dataset } from "#lib/contract/datasets";
import type { Table } from "#lib/contract/table";
import { profileColumn } from "#lib/engine/csv/profile";
import type { DatasetSettings } from "./settings.ts";

export type ColumnDescription = Dataset["columns"][number];

const unread = {
  type: "category" as const,
  min: null,
  max: null,
  mean: null,
  median: null,
  missing: 0,
  categories: null,
  histogram: null,
};

/** Returns the columns in API form, in the order of `header`. Unreadable columns have no statistics. */
export function describeColumns(
  table: Table,
  header: readonly string[],
  settings: DatasetSettings,
): ColumnDescription[] {
  const excluded = new Set(settings.exclude);
  const profiles = new Map(table.columns.map((column) => [column.name, profileColumn(column)]));
  return header.map((name) => {
    const profile = profiles.get(name);
    const role = roleOf(name, settings, excluded);
    return profile ? { ...profile, role } : { ...unread, name, role };
  });
}

function roleOf(
  name: string,
  { target, timestampColumns }: DatasetSettings,
  excluded: ReadonlySet<string>,
): ColumnDescription["role"] {
  if (name === target) return "target";
  if (timestampColumns?.includes(name)) return "timestamp";
  return excluded.has(name) ? "excluded" : "input";
}
