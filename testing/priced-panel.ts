import type { CategoryColumn, Column, Table } from "#lib/contract/table";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { gaussian } from "./gaussian.ts";

/**
 * Simulates daily sales of items in stores: a slowly moving level, a weekly and a yearly season, promotions, and prices with a
 * known elasticity of each series, -1.8 on average. The price of every fourth series never moves.
 */
export function pricedPanel({ series, days, seed }: { series: number; days: number; seed: number }) {
  const random = seededRandom(seed);
  const normal = gaussian(seed + 1);
  const rows = series * days;
  const items = Math.ceil(Math.sqrt(series));
  const [date, price, promo, sales] = Array.from({ length: 4 }, () => new Float64Array(rows));
  const code = { store: new Int32Array(rows), item: new Int32Array(rows) };
  const elasticities = new Float64Array(series);
  const itemPhase = Array.from({ length: items }, () => 2 * Math.PI * random.next());
  for (let place = 0; place < series; place++) {
    const item = place % items;
    const usual = 2 + item * 0.37;
    const elasticity = -1.8 + 0.5 * normal();
    elasticities[place] = elasticity;
    let level = Math.log(5 + 60 * random.next() ** 2);
    const noise = 0.15 + 0.2 * random.next();
    let [current, promoted] = [usual, 0];
    for (let day = 0; day < days; day++) {
      const row = place * days + day;
      level += 0.01 * normal();
      if (day % 7 === 0) {
        promoted = Number(random.next() < 0.15);
        const isMoved = place % 4 !== 0 && random.next() < 0.25;
        current = isMoved ? usual * (0.7 + 0.2 * random.next()) : usual;
      }
      const season =
        0.25 * Math.sin((2 * Math.PI * day) / 7) +
        0.2 * Math.sin((2 * Math.PI * day) / 365.25 + itemPhase[item]!);
      const log = level + season + elasticity * Math.log(current / usual) + 0.4 * promoted + noise * normal();
      date![row] = Date.UTC(2023, 0, 1) + day * 86_400_000;
      price![row] = Math.round(100 * current) / 100;
      promo![row] = promoted;
      sales![row] = Math.round(Math.exp(log));
      code.store[row] = Math.floor(place / items);
      code.item[row] = item;
    }
  }
  const category = (name: "store" | "item"): CategoryColumn => ({
    name,
    type: "category",
    codes: code[name],
    categories: Array.from({ length: items }, (_, i) => `${name} ${i + 1}`),
  });
  const number = (name: string, values: Float64Array): Column => ({ name, type: "number", values });
  const table: Table = {
    rowCount: rows,
    columns: [
      { name: "date", type: "timestamp", values: date! },
      category("store"),
      category("item"),
      number("price", price!),
      number("promo", promo!),
      number("sales", sales!),
    ],
  };
  return { table, elasticities };
}
