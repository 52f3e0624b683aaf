import type { Column, Table } from "#lib/contract/table";
import { checkInput } from "#lib/engine/inference/check-input";
import type { LoadedModel } from "#lib/engine/inference/load-model";
import { findColumn, requireColumn } from "#lib/engine/table/columns";
import { concatTables } from "#lib/engine/table/concat";
import { takeColumnRows } from "#lib/engine/table/rows";
import type { ModelPair } from "./changed-features.ts";

/** 0: the baseline, 1: the scenario that is compared with it. */
export type Side = 0 | 1;

/** Both sides' inputs as one of the models reads them. */
type ModelView = {
  features: string[];
  /** Interchangeable columns: the baseline's rows, then the scenario's rows. */
  joined: Table;
  /** Columns that are not interchangeable, from the model's own side. */
  own: Table;
};

/**
 * Combines two inputs into inputs with some columns of each side. A column that only one side has, or that a model cannot
 * take from the other side, always comes from the model's own side.
 */
export class MixedInputs {
  readonly #tables: readonly [Table, Table];
  /** Row of each shared point, by side. */
  readonly #rows: readonly [Int32Array, Int32Array];
  readonly #views: readonly [ModelView, ModelView];

  /** @param shared features that both models can take from either side, as returned by `sharedFeatures` */
  constructor(
    tables: readonly [Table, Table],
    rows: readonly [Int32Array, Int32Array],
    models: ModelPair,
    shared: ReadonlySet<string>,
  ) {
    this.#tables = tables;
    this.#rows = rows;
    const first = viewOf(models[0], 0, tables, shared);
    this.#views = [first, models[0] === models[1] ? first : viewOf(models[1], 1, tables, shared)];
  }

  /** Whether some column always comes from the model's own side. */
  get hasOwn(): boolean {
    return this.#views.some(({ own }) => own.columns.length > 0);
  }

  /**
   * Builds the input of one side's model at the given points.
   *
   * @param sideOf the side that a feature's values come from
   */
  atPoints(model: Side, points: Int32Array, sideOf: (feature: string) => Side): Table {
    const rows = ([0, 1] as const).map((side) =>
      Int32Array.from(points, (point) => this.#offset(side) + this.#rows[side][point]!),
    );
    const own = Int32Array.from(points, (point) => this.#rows[model][point]!);
    return this.#table(model, points.length, (feature) => rows[sideOf(feature)]!, own);
  }

  /**
   * Builds an input with all rows of one side, in their order. At the shared points, the features of the other side have its
   * values.
   *
   * @param base the side that provides the rows: the model's own side if a column always comes from it
   */
  allRows(model: Side, base: Side, sideOf: (feature: string) => Side): Table {
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
    const view = this.#views[model];
    const columns = view.features.map((name): Column => {
      const column = findColumn(view.joined, name);
      const [from, rows] =
        column === undefined ? [requireColumn(view.own, name), own] : [column, rowsOf(name)];
      return takeColumnRows(from, rows);
    });
    return { rowCount, columns };
  }
}

function viewOf(
  { inputFeatures, state }: LoadedModel,
  side: Side,
  tables: readonly [Table, Table],
  shared: ReadonlySet<string>,
): ModelView {
  const both = inputFeatures.filter(({ name }) => shared.has(name));
  const single = inputFeatures.filter(({ name }) => !shared.has(name));
  return {
    features: inputFeatures.map(({ name }) => name),
    joined: concatTables(tables.map((table) => checkInput(table, both, state.target).table)),
    own: checkInput(tables[side], single, state.target).table,
  };
}
