import type { Column, Table } from "#lib/contract/table";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { gaussian } from "./gaussian.ts";

const WEEK = 7 * 86_400_000;

export type Promoted = { table: Table; elasticity: number };

/**
 * Simulates weekly sales of a product whose demand responds in per cent: to its price, to a rival's price, to deals and to
 * features. Deals and features go with low prices, as in shops, so the columns are collinear.
 *
 * @param rows number of weeks
 */
export function promotedProduct(seed: number, rows: number): Promoted {
  const random = seededRandom(seed);
  const normal = gaussian(seed + 1_000_000);
  const elasticity = -1.5 - 2 * random.next();
  const spread = 0.2 + 0.25 * random.next();
  const shelf = 2 + 2 * random.next();
  const [price, rival, deal, feature, sales] = Array.from({ length: 5 }, () => new Float64Array(rows));
  let [drift, error] = [0, 0];
  for (let week = 0; week < rows; week++) {
    if (week % 26 === 0) drift += 0.03 * normal();
    const isPromoted = random.next() < 0.3;
    const isRivalPromoted = random.next() < 0.3;
    const cut = isPromoted ? 0.1 + 0.25 * random.next() : 0;
    price![week] = shelf * Math.exp(drift + 0.02 * normal()) * (1 - cut);
    rival![week] = shelf * 1.1 * Math.exp(drift + 0.02 * normal()) * (isRivalPromoted ? 0.8 : 1);
    deal![week] = isPromoted && random.next() < 0.9 ? 1 : 0;
    feature![week] = isPromoted && random.next() < 0.6 ? 1 : 0;
    error = 0.3 * error + spread * normal();
    const logs =
      8 +
      elasticity * Math.log(price![week]! / shelf) +
      0.6 * Math.log(rival![week]! / shelf) +
      0.2 * deal![week]! +
      0.4 * feature![week]! +
      0.15 * Math.sin((2 * Math.PI * week) / 52) +
      error;
    sales![week] = Math.round(Math.exp(logs));
  }
  const number = (name: string, values: Float64Array): Column => ({ name, type: "number", values });
  const time = Float64Array.from({ length: rows }, (_, week) => Date.UTC(2020, 0, 6) + week * WEEK);
  return {
    elasticity,
    table: {
      rowCount: rows,
      columns: [
        { name: "week", type: "timestamp", values: time },
        number("price", price!),
        number("rival", rival!),
        number("deal", deal!),
        number("feature", feature!),
        number("sales", sales!),
      ],
    },
  };
}
