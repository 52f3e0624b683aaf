import type { Column, Table } from "#lib/contract/table";
import type { Alignment } from "./align.ts";

/** Differences of a scenario's numbers from the baseline's, over the points where both have a number and they differ. */
type AmountChanged = { scenarioId: string; rows: number; sum: number; min: number; max: number };

/** A feature whose input differs from the baseline's: the scenarios, the number of points, and amounts of numbers. */
export type ChangedInput = {
  feature: string;
  scenarioIds: string[];
  changedRows: number;
  amounts: AmountChanged[];
};

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
    const amounts: AmountChanged[] = [];
    const scenarioIds = scenarios
      .filter(({ scenarioId }, index) => {
        if (index === baselineIndex) return false;
        const rows = alignment.isPlain ? null : { baseline: baselineRows, other: alignment.rowOf[index]! };
        const [own, other] = [columns[baselineIndex]!.get(feature), columns[index]!.get(feature)];
        if (!markChanged(changed, rows, own, other)) return false;
        const amount = amountChanged(changed.length, rows, own, other);
        if (amount !== null) amounts.push({ scenarioId, ...amount });
        return true;
      })
      .map(({ scenarioId }) => scenarioId);
    if (scenarioIds.length > 0)
      changes.push({ feature, scenarioIds, changedRows: countOnes(changed), amounts });
  }
  return changes;
}

/** Collects the changed inputs of consecutive stretches of points. */
export class ChangedInputs {
  readonly #scenarioIds: readonly string[];
  readonly #features: readonly string[];
  readonly #changed = new Map<
    string,
    { scenarioIds: Set<string>; changedRows: number; amounts: Map<string, AmountChanged> }
  >();

  /** @param scenarios the scenarios with the names of their columns */
  constructor(scenarios: readonly { scenarioId: string; columns: readonly string[] }[], baselineId: string) {
    this.#scenarioIds = scenarios.map(({ scenarioId }) => scenarioId);
    const baseline = scenarios.filter(({ scenarioId }) => scenarioId === baselineId);
    this.#features = [...new Set([...baseline, ...scenarios].flatMap(({ columns }) => columns))];
  }

  /** @param changes result of `changedInputs` for the stretch */
  add(changes: readonly ChangedInput[]): void {
    for (const { feature, scenarioIds, changedRows, amounts } of changes) {
      const known = this.#changed.get(feature) ?? {
        scenarioIds: new Set(),
        changedRows: 0,
        amounts: new Map<string, AmountChanged>(),
      };
      for (const amount of amounts) {
        const before = known.amounts.get(amount.scenarioId);
        known.amounts.set(amount.scenarioId, before ? joined(before, amount) : amount);
      }
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
      const amounts = scenarioIds.flatMap((id) => changed.amounts.get(id) ?? []);
      return [{ feature, scenarioIds, changedRows: changed.changedRows, amounts }];
    });
  }
}

function joined(a: AmountChanged, b: AmountChanged): AmountChanged {
  return {
    scenarioId: a.scenarioId,
    rows: a.rows + b.rows,
    sum: a.sum + b.sum,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
  };
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

/** Returns the differences of two columns of numbers; null for other columns, or if no numbers differ. */
function amountChanged(
  length: number,
  rows: RowPairs,
  baseline: Column | undefined,
  other: Column | undefined,
): Omit<AmountChanged, "scenarioId"> | null {
  if (baseline?.type !== "number" || other?.type !== "number") return null;
  const amount = { rows: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
  for (let point = 0; point < length; point++) {
    const baselineRow = rows === null ? point : rows.baseline[point]!;
    const row = rows === null ? point : rows.other[point]!;
    if (baselineRow === -1 || row === -1) continue;
    const difference = other.values[row]! - baseline.values[baselineRow]!;
    if (difference === 0 || Number.isNaN(difference)) continue;
    amount.rows++;
    amount.sum += difference;
    amount.min = Math.min(amount.min, difference);
    amount.max = Math.max(amount.max, difference);
  }
  return amount.rows === 0 ? null : amount;
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
