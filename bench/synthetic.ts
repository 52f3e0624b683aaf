import type { Table } from "#lib/contract/table";
import { type SeededRandom, seededRandom } from "#lib/engine/learners/seeded-random";

export type TrainingData = { columns: Float32Array[]; target: Float64Array };

/**
 * Generates columns uniform in [0, 1) and a non-linear target with interactions and noise. The target is "Friedman #1"
 * (Friedman 1991) of the first five columns. The other columns carry no information.
 */
export function friedmanData(rowCount: number, columnCount: number, seed: number): TrainingData {
  const random = seededRandom(seed);
  const columns = Array.from({ length: columnCount }, () =>
    Float32Array.from({ length: rowCount }, () => random.next()),
  );
  const target = Float64Array.from({ length: rowCount }, (_, row) => {
    const [a, b, c, d, e] = columns.map((column) => column[row]!);
    return 10 * Math.sin(Math.PI * a! * b!) + 20 * (c! - 0.5) ** 2 + 10 * d! + 5 * e! + normal(random);
  });
  return { columns, target };
}

/** Returns the data as a table with the columns x0, x1, … and y. */
export function tableOf({ columns, target }: TrainingData): Table {
  const named = [
    ...columns.map((values, index) => ({ name: `x${index}`, values: Float64Array.from(values) })),
    { name: "y", values: target },
  ];
  return { rowCount: target.length, columns: named.map((column) => ({ ...column, type: "number" })) };
}

/** Generates a random walk around 100, which resembles a series of predictions. */
export function randomWalk(length: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  let level = 100;
  return Float64Array.from({ length }, () => {
    level += normal(random) - (level - 100) / 1000;
    return level;
  });
}

const CITIES = ["Bonn", "Köln", "New York", "São Paulo", "Tokyo"];

/** Generates a CSV file of ten columns: time, six numbers, a number with gaps, a category and a boolean. */
export function csvFile(rowCount: number, seed: number): Uint8Array {
  const random = seededRandom(seed);
  const lines = ["time,temp,wind,hum,price,sales,stock,gap,city,open"];
  for (let row = 0; row < rowCount; row++) {
    const time = new Date(Date.UTC(2000, 0, 1) + row * 3_600_000).toISOString().slice(0, 19);
    const numbers = Array.from({ length: 6 }, (_, index) => (random.next() * 10 ** index).toFixed(3));
    const gap = random.next() < 0.1 ? "" : String(random.below(100));
    lines.push(
      [
        time,
        ...numbers,
        gap,
        CITIES[random.below(CITIES.length)],
        random.next() < 0.5 ? "true" : "false",
      ].join(","),
    );
  }
  return new TextEncoder().encode(`${lines.join("\n")}\n`);
}

/** Draws from the standard normal distribution (Box and Muller 1958). */
function normal(random: SeededRandom): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}
