import type { Dataset } from "#lib/contract/datasets";
import type { Table } from "#lib/contract/table";
import { profileTable } from "#lib/csv/profile";
import type { DatasetSettings } from "./settings.ts";

export type ColumnDescription = Dataset["columns"][number];

/** The columns as the wire shows them, in the order of `header`; one that could not be read has no figures. */
export function describeColumns(
  table: Table,
  header: readonly string[],
  settings: DatasetSettings,
): ColumnDescription[] {
  const excluded = new Set(settings.exclude);
  const profiles = new Map(profileTable(table).map((profile) => [profile.name, profile]));
  return header.map((name) => {
    const profile = profiles.get(name);
    return {
      name,
      type: profile?.type ?? "category",
      role: roleOf(name, settings, excluded),
      min: profile?.min ?? null,
      max: profile?.max ?? null,
      mean: profile?.mean ?? null,
      median: profile?.median ?? null,
      missing: profile?.missing ?? 0,
      categories: profile?.categories?.map(({ value }) => value) ?? null,
      histogram: profile?.histogram?.counts ?? null,
    };
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
