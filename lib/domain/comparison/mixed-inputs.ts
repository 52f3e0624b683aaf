import type { Column, Table } from "#lib/contract/table";
import { checkInput } from "#lib/engine/inference/check-input";
import type { LoadedModel } from "#lib/engine/inference/load-model";
import { findColumn, requireColumn } from "#lib/engine/table/columns";
import { concatTables } from "#lib/engine/table/concat";
import { takeRows } from "#lib/engine/table/rows";
import type { ModelPair } from "./changed-features.ts";

/** 0: the baseline, 1: the scenario that it is compared with. */
export type Side = 0 | 1;

/** What both sides' inputs are to one of the models. */
type Seen = {
  features: string[];
  /** The columns that can stand in for each other: the baseline's rows, below them the other's. */
  joined: Table;
  /** The columns that cannot: its own side's. */
  own: Table;
};

/**
 * Two inputs, of which a model can be given some columns of the one and some of the other. A column that only one side
 * has, or that a model cannot take from the other side, always goes with the model.
 */
export class MixedInputs {
  readonly #tables: readonly [Table, Table];
  /** Row of each shared point, by side. */
  readonly #rows: readonly [Int32Array, Int32Array];
  readonly #seen: readonly [Seen, Seen];

  /** @param shared features that both can take from either side, as `sharedFeatures` finds them */
  constructor(
    tables: readonly [Table, Table],
    rows: readonly [Int32Array, Int32Array],
    models: ModelPair,
    shared: ReadonlySet<string>,
  ) {
    this.#tables = tables;
    this.#rows = rows;
    const first = seenBy(models[0], 0, tables, shared);
    this.#seen = [first, models[0] === models[1] ? first : seenBy(models[1], 1, tables, shared)];
  }

  /** Whether some column goes with the model. */
  get hasOwn(): boolean {
    return this.#seen.some(({ own }) => own.columns.length > 0);
  }

  /** The input of one side's model at some points alone. @param sideOf where a feature's values come from */
  atPoints(model: Side, points: Int32Array, sideOf: (feature: string) => Side): Table {
    const rows = ([0, 1] as const).map((side) =>
      Int32Array.from(points, (point) => this.#offset(side) + this.#rows[side][point]!),
    );
    const own = Int32Array.from(points, (point) => this.#rows[model][point]!);
    return this.#table(model, points.length, (feature) => rows[sideOf(feature)]!, own);
  }

  /**
   * The whole input of one side, in its order, with values of the other at the shared points.
   *
   * @param base whose rows they are; the model's own side where some column goes with the model
   */
  whole(model: Side, base: Side, sideOf: (feature: string) => Side): Table {
    const count = this.#tables[base].rowCount;
    const unchanged = Int32Array.from({ length: count }, (_, row) => this.#offset(base) + row);
    const other: Side = base === 0 ? 1 : 0;
    const exchanged = unchanged.slice();
    this.#rows[base].forEach((row, point) => {
      exchanged[row] = this.#offset(other) + this.#rows[other][point]!;
    });
    const own = Int32Array.from({ length: count }, (_, row) => row);
    return this.#table(model, count, (feature) => (sideOf(feature) === base ? unchanged : exchanged), own);
  }

  #offset(side: Side): number {
    return side === 0 ? 0 : this.#tables[0].rowCount;
  }

  #table(model: Side, rowCount: number, rowsOf: (feature: string) => Int32Array, own: Int32Array): Table {
    const seen = this.#seen[model];
    const columns = seen.features.map((name): Column => {
      const column = findColumn(seen.joined, name);
      const [from, rows] =
        column === undefined ? [requireColumn(seen.own, name), own] : [column, rowsOf(name)];
      return takeRows({ rowCount: rows.length, columns: [from] }, rows).columns[0]!;
    });
    return { rowCount, columns };
  }
}

function seenBy(
  { inputFeatures, state }: LoadedModel,
  side: Side,
  tables: readonly [Table, Table],
  shared: ReadonlySet<string>,
): Seen {
  const both = inputFeatures.filter(({ name }) => shared.has(name));
  const single = inputFeatures.filter(({ name }) => !shared.has(name));
  return {
    features: inputFeatures.map(({ name }) => name),
    joined: concatTables(tables.map((table) => checkInput(table, both, state.target).table)),
    own: checkInput(tables[side], single, state.target).table,
  };
}
