import fc from "fast-check";
import { expect, test } from "vitest";
import { lineEnds, NAME_HEIGHT, shortName } from "./line-ends.ts";
import type { ChartLines } from "./lines.ts";
import type { Scale } from "./scale.ts";

const scale: Scale = { x: [0, 3], y: [0, 10], left: 60, right: 600, top: 24, bottom: 300 };
const chart = (rows: readonly (readonly number[])[]): ChartLines => ({
  xs: Float64Array.of(0, 1, 2, 3),
  lines: rows.map((ys, at) => ({
    id: String(at),
    color: "#3498db",
    dash: [],
    marker: -1,
    width: 2,
    band: null,
    ys: Float64Array.from(ys),
  })),
});
const titles = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: String(at),
    title: at === 0 ? "Base" : `Base, plus ${at}`,
  }));

test("names each of two to six lines of one colour, without overlaps and inside the frame", () => {
  const line = fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(line, { minLength: 2, maxLength: 6 }), (rows) => {
      const ends = lineEnds(chart(rows), titles(rows.length), scale);
      expect(new Set(ends.map(({ text }) => text)).size).toBe(rows.length);
      const ys = ends.map(({ y }) => y).toSorted((a, b) => a - b);
      for (const [at, y] of ys.entries()) {
        expect(y).toBeGreaterThanOrEqual(scale.top);
        expect(y).toBeLessThanOrEqual(scale.bottom);
        if (at > 0) expect(y - ys[at - 1]!).toBeGreaterThanOrEqual(NAME_HEIGHT - 1e-9);
      }
    }),
  );
});

test("ends a shorter line at its own last point, and names neither one line nor too many", () => {
  const [short] = lineEnds(
    chart([
      [9, 9, Number.NaN, Number.NaN],
      [1, 1, 1, 1],
    ]),
    titles(2),
    scale,
  );
  expect(short).toMatchObject({ id: "0", x: 240 });
  expect(lineEnds(chart([[1, 1, 1, 1]]), titles(1), scale)).toEqual([]);
  expect(lineEnds(chart(Array.from({ length: 7 }, () => [1, 2, 3, 4])), titles(7), scale)).toEqual([]);
});

test("shortens a title to the change that it names", () => {
  expect(shortName("Base 2027, price +10 %", ["Base 2027", "Base 2027, price +10 %"])).toBe("price +10 %");
  expect(shortName("Base 2027", ["Base 2027"])).toBe("Base 2027");
  expect(shortName("x".repeat(40), [])).toHaveLength(28);
});
