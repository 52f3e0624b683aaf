import fc from "fast-check";
import { expect, test } from "vitest";
import { createRaster, type Raster, rasterBand, rasterLine } from "./raster.ts";

const blank = (width: number, height: number) =>
  createRaster(width, height, new Uint8ClampedArray(width * height * 4));
const alpha = ({ width, pixels }: Raster, x: number, y: number) => pixels[(y * width + x) * 4 + 3]!;
const red = [255, 0, 0] as const;
const solid = { rgb: red, width: 2, dash: [] };

test("draws a spike of one point at any position, even if many points share its column", () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 3_000 }), fc.nat(), fc.boolean(), (count, place, up) => {
      const raster = blank(100, 50);
      const spike = place % count;
      const xs = Float64Array.from({ length: count }, (_, at) => (at / (count - 1)) * 99.5);
      const ys = Float64Array.from({ length: count }, (_, at) => (at === spike ? (up ? 4.5 : 45.5) : 25));
      rasterLine(raster, xs, ys, solid);
      expect(alpha(raster, Math.floor(xs[spike]!), up ? 4 : 45)).toBeGreaterThan(200);
    }),
  );
});

test("draws every column between two points, and nothing across a gap", () => {
  const raster = blank(30, 20);
  const xs = Float64Array.of(0.5, 10.5, 20.5, 29.5);
  rasterLine(raster, xs, Float64Array.of(2, 17, Number.NaN, 10), solid);
  const drawn = (x: number) =>
    Array.from({ length: 20 }, (_, y) => alpha(raster, x, y)).some((one) => one > 100);
  for (let x = 0; x <= 10; x++) expect([x, drawn(x)]).toEqual([x, true]);
  for (let x = 11; x < 29; x++) expect([x, drawn(x)]).toEqual([x, false]);
  expect(drawn(29)).toBe(true);
});

test("skips columns for dashes, and ignores points outside the frame", () => {
  const raster = blank(20, 10);
  const far = Float64Array.of(-1e7, 1e7);
  rasterLine(raster, far, Float64Array.of(5, 5), { ...solid, dash: [4, 2] });
  expect(Array.from({ length: 8 }, (_, x) => alpha(raster, x, 5) > 0)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    true,
    true,
  ]);
  rasterLine(raster, Float64Array.of(1, 5), Float64Array.of(-1e9, 1e9), solid);
  expect(alpha(raster, 3, 9)).toBe(255);
});

test("fills a band between its lines, below existing pixels, with gaps for missing values", () => {
  const raster = blank(21, 20);
  const xs = Float64Array.of(0, 10, 20);
  const lower = Float64Array.of(15, 15, Number.NaN);
  rasterLine(raster, xs, Float64Array.of(10, 10, 10), { ...solid, rgb: [0, 0, 255] });
  rasterBand(raster, xs, lower, Float64Array.of(5, 5, 5), { rgb: red, opacity: 0.5 });
  expect([alpha(raster, 3, 7), alpha(raster, 3, 2), alpha(raster, 3, 17)]).toEqual([128, 0, 0]);
  expect(alpha(raster, 15, 7)).toBe(0);
  const at = (10 * raster.width + 3) * 4;
  expect([...raster.pixels.subarray(at, at + 4)]).toEqual([0, 0, 255, 255]);
});

test("hides later pixels only behind earlier ones", () => {
  const upright = fc.record({
    top: fc.integer({ min: -5, max: 35 }),
    length: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(fc.array(upright, { minLength: 1, maxLength: 12 }), (lines) => {
      const raster = blank(1, 30);
      lines.forEach(({ top, length }, index) => {
        const ys = Float64Array.of(top, top + length);
        rasterLine(raster, Float64Array.of(0, 0.9), ys, { rgb: [index + 1, 0, 0], width: 0, dash: [] });
      });
      for (let row = 0; row < 30; row++) {
        const first = lines.findIndex(({ top, length }) => row >= top && row < top + length);
        const [red, , , solidity] = raster.pixels.subarray(row * 4, row * 4 + 4);
        expect([red, solidity]).toEqual(first === -1 ? [0, 0] : [first + 1, 255]);
      }
    }),
  );
});
