import type { Table } from "#lib/contract/table";
import { type SeededRandom, seededRandom } from "#lib/engine/learners/seeded-random";

export type TrainingData = { columns: Float32Array[]; target: Float64Array };

/**
 * Columns uniform in [0, 1), the target bent, with interactions and noise (Friedman 1991, "Friedman #1" on the first
 * five columns); the other columns tell nothing.
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

/** The same as a table: columns x0, x1, … and y. */
export function friedmanTable(rowCount: number, columnCount: number, seed: number): Table {
  const { columns, target } = friedmanData(rowCount, columnCount, seed);
  const named = [
    ...columns.map((values, index) => ({ name: `x${index}`, values: Float64Array.from(values) })),
    { name: "y", values: target },
  ];
  return { rowCount, columns: named.map((column) => ({ ...column, type: "number" })) };
}

/** A walk about 100: what a series of predictions looks like. */
export function randomWalk(length: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  let level = 100;
  return Float64Array.from({ length }, () => {
    level += normal(random) - (level - 100) / 1000;
    return level;
  });
}

/** Epoch milliseconds, one an hour. */
export function hours(length: number): Float64Array {
  return Float64Array.from({ length }, (_, row) => Date.UTC(2020, 0, 1) + row * 3_600_000);
}

const CITIES = ["Bonn", "Köln", "New York", "São Paulo", "Tokyo"];

/** A CSV file of ten columns: a time, seven numbers of which one is often missing, a category, a yes or no. */
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

/** Normally distributed (Box and Muller 1958). */
function normal(random: SeededRandom): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}
