import { expect, test } from "vitest";
import { type Paint, type Placed, rasterLines } from "./draw-lines.ts";
import { createRaster, type Rgb } from "./raster.ts";

const colors: Record<string, Rgb> = {
  blue: [0, 0, 255],
  red: [255, 0, 0],
  "var(--surface)": [255, 255, 255],
};
const paint: Paint = (name) => ({ css: name, rgb: colors[name]! });
const px = Float64Array.of(0, 9);
const flat = (y: number) => Float64Array.of(y, y);
const line = (color: string, y: number, area: readonly [number, number] | null): Placed => ({
  color,
  dash: [],
  marker: -1,
  width: 2,
  px,
  py: flat(y),
  areas: area === null ? [] : [{ lower: flat(area[1]), upper: flat(area[0]) }],
});

/** Draws lines, and returns the colours of a column, from the top down. */
function column(lines: readonly Placed[]) {
  const raster = createRaster(10, 20, new Uint8ClampedArray(10 * 20 * 4));
  rasterLines(raster, lines, { ratio: 1, paint, opacity: 0.5 });
  return Array.from({ length: 20 }, (_, row) => [
    ...raster.pixels.subarray((row * 10 + 4) * 4, (row * 10 + 4) * 4 + 4),
  ]);
}

const [blue, red, edge] = [colors.blue!, colors.red!, colors["var(--surface)"]!].map((rgb) => [...rgb, 255]);
const blank = [0, 0, 0, 0];

test("separates a dense line from its band by an edge in the colour of the page", () => {
  const rows = column([line("blue", 10, [4, 16])]);
  expect(rows.slice(8, 12)).toEqual([edge, blue, blue, edge]);
  expect([rows[3], rows[16]]).toEqual([blank, blank]);
  for (const row of [...rows.slice(4, 8), ...rows.slice(12, 16)]) expect(row).toEqual([0, 0, 255, 128]);
});

test("draws no line's edge over another line, and no edges without bands", () => {
  const rows = column([line("blue", 10, [4, 16]), line("red", 12, null)]);
  expect(rows.slice(8, 14)).toEqual([edge, blue, blue, red, red, edge]);
  expect(column([line("blue", 10, null)]).slice(8, 12)).toEqual([blank, blue, blue, blank]);
});
