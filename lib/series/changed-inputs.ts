import type { Column, Table } from "#lib/contract/table";
import type { Alignment } from "./align.ts";

/** A feature of which the input differs from the baseline's: in which scenarios, and at how many points. */
export type ChangedInput = { feature: string; scenarioIds: string[]; changedRows: number };

export type ScenarioInput = { scenarioId: string; table: Table };

/**
 * Which features differ from the baseline's, by the order of its columns, then of the others'. Only points
 * that both have are compared (`alignment` is in the order of `scenarios`). Missing equals missing alone; a
 * feature that only one of the two has is missing in the other. `changedRows` counts the points at which at
 * least one scenario differs. `ignored`: columns that are no features, such as the time that was aligned by.
 */
export function changedInputs(
  scenarios: readonly ScenarioInput[],
  baselineId: string,
  alignment: Alignment,
  ignored: readonly string[] = [],
): ChangedInput[] {
  const baselineIndex = scenarios.findIndex(({ scenarioId }) => scenarioId === baselineId);
  const baseline = scenarios[baselineIndex];
  if (baseline === undefined) throw new RangeError(`The baseline ${baselineId} is none of the scenarios`);
  const baselineRows = alignment.rowOf[baselineIndex]!;
  const columns = scenarios.map(({ table }) => new Map(table.columns.map((column) => [column.name, column])));
  const features = new Set(
    columns.flatMap((byName, index) => (index === baselineIndex ? [] : [...byName.keys()])),
  );
  const ordered = new Set([...columns[baselineIndex]!.keys(), ...features]);
  for (const name of ignored) ordered.delete(name);

  const changes: ChangedInput[] = [];
  for (const feature of ordered) {
    const changed = new Uint8Array(alignment.length);
    const scenarioIds = scenarios
      .filter((_, index) => {
        if (index === baselineIndex) return false;
        const differs = differAt(columns[baselineIndex]!.get(feature), columns[index]!.get(feature));
        return markChanged(changed, baselineRows, alignment.rowOf[index]!, differs);
      })
      .map(({ scenarioId }) => scenarioId);
    if (scenarioIds.length > 0) changes.push({ feature, scenarioIds, changedRows: countOnes(changed) });
  }
  return changes;
}

type DifferAt = (baselineRow: number, row: number) => boolean;

function markChanged(
  changed: Uint8Array,
  baselineRows: Int32Array,
  rows: Int32Array,
  differs: DifferAt,
): boolean {
  let any = false;
  for (let point = 0; point < rows.length; point++) {
    const baselineRow = baselineRows[point]!;
    const row = rows[point]!;
    if (baselineRow === -1 || row === -1 || !differs(baselineRow, row)) continue;
    changed[point] = 1;
    any = true;
  }
  return any;
}

function differAt(baseline: Column | undefined, other: Column | undefined): DifferAt {
  if (baseline === undefined || other === undefined) {
    const present = baseline ?? other;
    if (present === undefined) return () => false;
    return (baselineRow, row) => textAt(present, present === baseline ? baselineRow : row) !== null;
  }
  if (baseline.type === "category" && other.type === "category") {
    const codes = new Map(baseline.categories.map((category, code) => [category, code]));
    // -2: a category that the baseline does not know, and so equal to none of its codes.
    const translated = other.categories.map((category) => codes.get(category) ?? -2);
    return (baselineRow, row) => {
      const code = other.codes[row]!;
      return baseline.codes[baselineRow] !== (code === -1 ? -1 : translated[code]);
    };
  }
  if (baseline.type !== "category" && other.type !== "category") {
    return (baselineRow, row) => {
      const a = baseline.values[baselineRow]!;
      const b = other.values[row]!;
      return a !== b && !(Number.isNaN(a) && Number.isNaN(b));
    };
  }
  return (baselineRow, row) => textAt(baseline, baselineRow) !== textAt(other, row);
}

function textAt(column: Column, row: number): string | null {
  if (column.type === "category") return column.categories[column.codes[row]!] ?? null;
  const value = column.values[row]!;
  return Number.isNaN(value) ? null : String(value);
}

function countOnes(flags: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < flags.length; i++) count += flags[i]!;
  return count;
}
