import { expect, it } from "vitest";
import { parseCsv } from "#lib/engine/csv/parse";
import { describeSeries } from "./describe-series.ts";
import { panelOf } from "./panel.ts";

it("finds the columns whose value each group determines", () => {
  const stores = ["A,Bonn,west", "B,Bonn,west", "C,Essen,west", "D,Kiel,north"];
  const rows = stores.flatMap((store) =>
    ["x,food", "y,drinks"].map((item) => `2025-01-01,${store},${item},3`),
  );
  const columns = ["store", "item"];
  const inputs = ["town", "region", "kind"];
  const csv = `day,store,town,region,item,kind,sales\n${rows.join("\n")}\n`;
  const { table } = parseCsv(Buffer.from(csv), { timestamp: "day" });
  const { description } = describeSeries(panelOf(table, columns, "day"), {
    target: "sales",
    grid: null,
    inputs,
  });
  expect(Object.fromEntries(description.levels.map(({ name, within }) => [name, within]))).toEqual({
    Total: [],
    region: [],
    town: ["region"],
    store: ["region", "town"],
    // Each kind has one item.
    kind: ["item"],
    item: ["kind"],
    "store, item": ["region", "kind", "item", "town", "store"],
  });
});
