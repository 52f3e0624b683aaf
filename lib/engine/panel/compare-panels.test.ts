import fc from "fast-check";
import { expect, it } from "vitest";
import type { Table } from "#lib/contract/table";
import { takeRows } from "#lib/engine/table/rows";
import { comparePanels } from "./compare-panels.ts";
import { orderPanel } from "./panel-order.ts";
import { indexSeries } from "./series-index.ts";

type Row = { store: string; day: number; y: number };
const stores = ["A", "B", "C"];
const tableOf = (rows: readonly Row[]): Table => {
  const table: Table = {
    rowCount: rows.length,
    columns: [
      { name: "day", type: "timestamp", values: Float64Array.from(rows, ({ day }) => day) },
      {
        name: "store",
        type: "category",
        codes: Int32Array.from(rows, ({ store }) => stores.indexOf(store)),
        categories: stores,
      },
      { name: "y", type: "number", values: Float64Array.from(rows, ({ y }) => y) },
    ],
  };
  const times = Float64Array.from(rows, ({ day }) => day);
  const { order } = orderPanel(indexSeries(table, ["store"]), times);
  return order === null ? table : takeRows(table, order);
};
const rowAt = ({ columns }: Table, row: number): Row => {
  const [day, store, y] = columns.map((column) =>
    column.type === "category" ? column.categories[column.codes[row]!]! : column.values[row]!,
  );
  return { day: day as number, store: store as string, y: y as number };
};

it("finds rows by series and time, as a comparison of maps does", () => {
  const row = fc.record({
    store: fc.constantFrom(...stores),
    day: fc.integer({ min: 0, max: 5 }),
    y: fc.integer({ min: 0, max: 1 }),
  });
  const rows = fc.uniqueArray(row, { selector: ({ store, day }) => `${store}${day}`, maxLength: 15 });
  fc.assert(
    fc.property(rows, rows, (one, other) => {
      const [before, after] = [tableOf(one), tableOf(other)];
      const found = comparePanels(before, after, { columns: ["store"], timestamp: "day" });
      const keyed = (some: readonly Row[]) =>
        new Map(some.map((each) => [`${each.store}${each.day}`, each.y]));
      const [former, latter] = [keyed(one), keyed(other)];
      const keys = (table: Table, places: readonly number[]) =>
        places.map((place) => rowAt(table, place)).map(({ store, day }) => `${store}${day}`);
      expect(keys(before, found.removed).sort()).toEqual(
        [...former.keys()].filter((key) => !latter.has(key)).sort(),
      );
      expect(keys(after, found.added).sort()).toEqual(
        [...latter.keys()].filter((key) => !former.has(key)).sort(),
      );
      const changed = [...former.keys()].filter(
        (key) => latter.has(key) && latter.get(key) !== former.get(key),
      );
      expect(
        keys(
          before,
          found.changed.map(([place]) => place),
        ).sort(),
      ).toEqual(changed.sort());
      expect(
        keys(
          after,
          found.changed.map(([, place]) => place),
        ).sort(),
      ).toEqual(changed.sort());
    }),
  );
});
