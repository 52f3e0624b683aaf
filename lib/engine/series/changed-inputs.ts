import type { Column, Table } from "#lib/contract/table";
import type { Alignment } from "./align.ts";

/** A feature whose input differs from the baseline's: the scenarios, and the number of points. */
export type ChangedInput = { feature: string; scenarioIds: string[]; changedRows: number };

type ScenarioInput = { scenarioId: string; table: Table };

/**
 * Returns the features that differ from the baseline's, in the order of the baseline's columns, then of the others'.
 * Compares only points that both have. `alignment` is in the order of `scenarios`. Missing equals only missing, and a
 * feature that only one of the two has is missing in the other. `changedRows` counts the points at which at least one
 * scenario differs. `ignored` names columns that are not features, such as the aligned time.
 */
export function changedInputs(
  scenarios: readonly ScenarioInput[],
  baselineId: string,
  alignment: Alignment,
  ignored: readonly string[] = [],
): ChangedInput[] {
  const baselineIndex = scenarios.findIndex(({ scenarioId }) => scenarioId === baselineId);
  const baseline = scenarios[baselineIndex];
  if (baseline === undefined) throw new RangeError(`The baseline ${baselineId} is not among the scenarios`);
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
        const rows = alignment.isPlain ? null : { baseline: baselineRows, other: alignment.rowOf[index]! };
        return markChanged(changed, rows, columns[baselineIndex]!.get(feature), columns[index]!.get(feature));
      })
      .map(({ scenarioId }) => scenarioId);
    if (scenarioIds.length > 0) changes.push({ feature, scenarioIds, changedRows: countOnes(changed) });
  }
  return changes;
}

/** Collects the changed inputs of consecutive stretches of points. */
export class ChangedInputs {
  readonly #scenarioIds: readonly string[];
  readonly #features: readonly string[];
  readonly #changed = new Map<string, { scenarioIds: Set<string>; changedRows: number }>();

  /** @param scenarios the scenarios with the names of their columns */
  constructor(scenarios: readonly { scenarioId: string; columns: readonly string[] }[], baselineId: string) {
    this.#scenarioIds = scenarios.map(({ scenarioId }) => scenarioId);
    const baseline = scenarios.filter(({ scenarioId }) => scenarioId === baselineId);
    this.#features = [...new Set([...baseline, ...scenarios].flatMap(({ columns }) => columns))];
  }

  /** @param changes result of `changedInputs` for the stretch */
  add(changes: readonly ChangedInput[]): void {
    for (const { feature, scenarioIds, changedRows } of changes) {
      const known = this.#changed.get(feature) ?? { scenarioIds: new Set(), changedRows: 0 };
      for (const id of scenarioIds) known.scenarioIds.add(id);
      known.changedRows += changedRows;
      this.#changed.set(feature, known);
    }
  }

  get all(): ChangedInput[] {
    return this.#features.flatMap((feature): ChangedInput[] => {
      const changed = this.#changed.get(feature);
      if (changed === undefined) return [];
      const scenarioIds = this.#scenarioIds.filter((id) => changed.scenarioIds.has(id));
      return [{ feature, scenarioIds, changedRows: changed.changedRows }];
    });
  }
}

/** Rows of two tables at the same points. Null if row i is at point i. */
type RowPairs = { baseline: Int32Array; other: Int32Array } | null;

/** Sets `changed[point]` where the two differ. Returns whether any point does. */
function markChanged(
  changed: Uint8Array,
  rows: RowPairs,
  baseline: Column | undefined,
  other: Column | undefined,
): boolean {
  if (baseline !== undefined && other !== undefined) {
    if (baseline.type === "category" && other.type === "category") {
      const codes = new Map(baseline.categories.map((category, code) => [category, code]));
      // -2 marks a category that the baseline lacks. It equals no code of the baseline.
      const translated = Int32Array.from(other.categories, (category) => codes.get(category) ?? -2);
      const otherCodes = other.codes.map((code) => (code === -1 ? -1 : translated[code]!));
      return markValues(changed, rows, baseline.codes, otherCodes);
    }
    if (baseline.type !== "category" && other.type !== "category") {
      return markValues(changed, rows, baseline.values, other.values);
    }
  }
  let any = false;
  for (let point = 0; point < changed.length; point++) {
    const baselineRow = rows === null ? point : rows.baseline[point]!;
    const row = rows === null ? point : rows.other[point]!;
    if (baselineRow === -1 || row === -1 || textAt(baseline, baselineRow) === textAt(other, row)) continue;
    changed[point] = 1;
    any = true;
  }
  return any;
}

function markValues<T extends Float64Array | Int32Array>(
  changed: Uint8Array,
  rows: RowPairs,
  a: T,
  b: T,
): boolean {
  let any = false;
  for (let point = 0; point < changed.length; point++) {
    const aRow = rows === null ? point : rows.baseline[point]!;
    const bRow = rows === null ? point : rows.other[point]!;
    if (aRow === -1 || bRow === -1) continue;
    const left = a[aRow]!;
    const right = b[bRow]!;
    if (left === right || (Number.isNaN(left) && Number.isNaN(right))) continue;
    changed[point] = 1;
    any = true;
  }
  return any;
}

function textAt(column: Column | undefined, row: number): string | null {
  if (column === undefined) return null;
  if (column.type === "category") return column.categories[column.codes[row]!] ?? null;
  const value = column.values[row]!;
  return Number.isNaN(value) ? null : String(value);
}

function countOnes(flags: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < flags.length; i++) count += flags[i]!;
  return count;
}
