import fc from "fast-check";
import { expect, it } from "vitest";
import type { CategoryColumn } from "#lib/contract/table";
import { alignPanels } from "./align-panels.ts";
import { panelRows } from "./panel-rows.ts";

type Row = { store: string; time: number };

function panelOf(rows: readonly Row[]) {
  const categories = [...new Set(rows.map(({ store }) => store))];
  const codes = Int32Array.from(rows, ({ store }) => categories.indexOf(store));
  const store: CategoryColumn = { name: "store", type: "category", codes, categories };
  const times = Float64Array.from(rows, ({ time }) => time);
  return panelRows({ rowCount: rows.length, columns: [store] }, times, { columns: ["store"], levels: [] });
}

const keyOf = ({ store, time }: Row) => `${store} ${time}`;
const row = fc.record({ store: fc.constantFrom("A", "B", "C"), time: fc.nat(6) });
const rows = fc.uniqueArray(row, { selector: keyOf, maxLength: 15 });

it("matches the rows of panels in any order by series and time", () => {
  fc.assert(
    fc.property(fc.array(rows, { minLength: 1, maxLength: 4 }), (lists) => {
      const { length, rowOf, isPlain } = alignPanels(lists.map(panelOf));
      expect(length).toBe(new Set(lists.flat().map(keyOf)).size);
      const keysAt = Array.from({ length }, (_, point) => {
        const here = lists.flatMap((list, index) => list[rowOf[index]![point]!] ?? []);
        expect(new Set(here.map(keyOf)).size).toBe(1);
        return keyOf(here[0]!);
      });
      expect(new Set(keysAt).size).toBe(length);
      lists.forEach((list, index) => {
        const found = rowOf[index]!.filter((place) => place !== -1).sort();
        expect([...found]).toEqual([...list.keys()]);
      });
      const isSame = lists.every((list) => list.map(keyOf).join() === lists[0]!.map(keyOf).join());
      expect(isPlain).toBe(isSame);
    }),
  );
});
