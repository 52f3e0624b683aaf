import type { Dataset } from "#lib/contract/datasets";
import type { DateRule } from "#lib/contract/date-rule";
import type { Table } from "#lib/contract/table";
import { profileColumn } from "#lib/engine/csv/profile";
import { findDateRules } from "#lib/engine/features/find-date-rules";
import { findColumn } from "#lib/engine/table/columns";
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

/**
 * Returns the columns in API form, in the order of `header`. Unreadable columns have no statistics.
 *
 * @param dated rows in time order with the columns that may follow from the date
 */
export function describeColumns(
  table: Table,
  header: readonly string[],
  settings: DatasetSettings,
  dated: Table = table,
): ColumnDescription[] {
  const excluded = new Set(settings.exclude);
  const profiles = new Map(table.columns.map((column) => [column.name, profileColumn(column)]));
  const rules = dateRules(dated, settings);
  return header.map((name) => {
    const profile = profiles.get(name);
    const role = roleOf(name, settings, excluded);
    const dateRule = rules.get(name);
    return profile ? { ...profile, role, ...(dateRule && { dateRule }) } : { ...unread, name, role };
  });
}

/** Returns the rules of the columns that follow from the date. Holidays depend on the country, which trainings set. */
function dateRules(
  table: Table,
  { timestampColumns, target, timezone }: DatasetSettings,
): ReadonlyMap<string, DateRule> {
  const times = findColumn(table, timestampColumns?.[0] ?? "");
  if (times?.type !== "timestamp") return new Map();
  const names = table.columns.map(({ name }) => name).filter((name) => name !== target);
  return findDateRules(table, names, { instants: times.values, timezone });
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
