import { expect, it } from "vitest";
import { distinctRows } from "./distinct-rows.ts";

it("returns each row once, and the place of all rows", () => {
  const found = distinctRows({
    rowCount: 4,
    columns: [
      { name: "at", type: "timestamp", values: Float64Array.of(1, 1, 2, 1) },
      { name: "region", type: "category", categories: ["a", "b"], codes: Int32Array.of(0, 1, 0, 0) },
    ],
  });
  expect([...found.placeOf]).toEqual([0, 1, 2, 0]);
  expect(found.table.rowCount).toBe(3);
  expect(found.table.columns[0]).toMatchObject({ values: Float64Array.of(1, 1, 2) });
});
