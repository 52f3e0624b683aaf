import { seededRandom } from "#lib/engine/learners/seeded-random";

const HOUR = 3_600_000;
const FROM = Date.UTC(2024, 0, 1);

/** Number of rows to train on. Scenarios begin after them. */
export const TRAINING_ROWS = 4_000;

type Rows = {
  /** Hours before the first row. */
  first: number;
  count: number;
  seed: number;
  /** Returns a price from a random number below 1. */
  price?: (random: number) => number;
};

/** Generates hourly rows of a price, as CSV in base64. */
export function hourlyCsv({ first, count, seed, price = (random) => 10 * random }: Rows): string {
  const random = seededRandom(seed);
  return csvOf("time,price", count, (row) => `${timeOf(first + row)},${price(random.next()).toFixed(2)}`);
}

/** Generates rows to train on, with a target `y` that depends on the price and the time, as CSV in base64. */
export function hourlyTrainingCsv(seed: number): string {
  const random = seededRandom(seed);
  return csvOf("time,price,y", TRAINING_ROWS, (row) => {
    const price = random.next() * 10;
    const y = 100 + wave(row) - 3 * price + random.next() * 6;
    return `${timeOf(row)},${price.toFixed(3)},${y.toFixed(3)}`;
  });
}

function csvOf(header: string, count: number, line: (row: number) => string): string {
  const lines = Array.from({ length: count }, (_, row) => line(row));
  return Buffer.from(`${header}\n${lines.join("\n")}\n`).toString("base64");
}

const timeOf = (hours: number) => `${new Date(FROM + hours * HOUR).toISOString().slice(0, 19)}Z`;

const wave = (row: number) =>
  20 * Math.sin((2 * Math.PI * row) / 24) + 10 * Math.sin((2 * Math.PI * row) / 8_766);
