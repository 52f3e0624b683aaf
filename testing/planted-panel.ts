import type { CategoryColumn, Table } from "#lib/contract/table";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { selectColumns, withColumn } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";

const DAY_MS = 86_400_000;
const START = Date.UTC(2024, 0, 1);

const category = (name: string, values: readonly string[]): CategoryColumn => {
  const categories = [...new Set(values)];
  const codeOf = new Map(categories.map((value, code) => [value, code]));
  return {
    name,
    type: "category",
    categories,
    codes: Int32Array.from(values, (value) => codeOf.get(value)!),
  };
};

/** Returns sales of stores and items whose prices have a known elasticity: -2 on average, and a weekly season. */
export function plantedPanel({ stores = 4, items = 5, days = 200, seed = 1 } = {}) {
  const random = seededRandom(seed);
  const normal = () => {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += random.next();
    return sum;
  };
  const rows: { time: number; store: string; item: string; region: string; price: number; sales: number }[] =
    [];
  const elasticities: number[] = [];
  for (let store = 0; store < stores; store++)
    for (let item = 0; item < items; item++) {
      const level = 20 * (1 + item) * (1 + store / 2);
      const elasticity = -2 + 0.4 * normal();
      elasticities.push(elasticity);
      const usual = 2 + 3 * item;
      let price = usual;
      const moves = item > 0;
      for (let day = 0; day < days; day++) {
        if (day % 7 === 0) price = moves && random.next() < 0.3 ? usual * 0.8 : usual;
        const season = 1 + 0.3 * Math.sin((2 * Math.PI * day) / 7);
        const sales = level * season * (price / usual) ** elasticity * Math.exp(0.15 * normal());
        rows.push({
          time: START + day * DAY_MS,
          store: `S${store}`,
          item: `I${item}`,
          region: store < 2 ? "north" : "south",
          price,
          sales: Math.round(sales),
        });
      }
    }
  const table: Table = {
    rowCount: rows.length,
    columns: [
      { name: "date", type: "timestamp", values: Float64Array.from(rows, ({ time }) => time) },
      category(
        "store",
        rows.map(({ store }) => store),
      ),
      category(
        "item",
        rows.map(({ item }) => item),
      ),
      category(
        "region",
        rows.map(({ region }) => region),
      ),
      { name: "price", type: "number", values: Float64Array.from(rows, ({ price }) => price) },
      { name: "sales", type: "number", values: Float64Array.from(rows, ({ sales }) => sales) },
    ],
  };
  return { table, elasticities, days };
}

/** Returns the rows after the known ones of the first series, `steps` of them for each series. */
export function future(table: Table, days: number, steps: number): Table {
  const rows = Int32Array.from({ length: table.rowCount }, (_, row) => row).filter(
    (row) => row % days >= days - steps,
  );
  const inputs = selectColumns(takeRows(table, rows), ["date", "store", "item", "region", "price"]);
  const times = takeRows(table, rows).columns[0]!;
  if (times.type !== "timestamp") throw new Error("no times");
  return withColumn(inputs, { ...times, values: times.values.map((time) => time + steps * DAY_MS) });
}
