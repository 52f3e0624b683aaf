import { describe, expect, test } from "vitest";
import { nottingham } from "#testing/classic-series";
import { mstl, stl, stlWindows } from "./stl.ts";

describe("stl agrees with R's stl(nottem)", () => {
  test("with s.window = 7", () => {
    const { season, trend } = stl(nottingham, 12, stlWindows(12, 7));
    expect([...season.subarray(0, 4)]).toEqual(
      [-7.925187362, -9.1401112, -6.197634203, -3.368283305].map((value) => expect.closeTo(value, 6)),
    );
    expect([...trend.subarray(0, 4)]).toEqual(
      [48.89938114, 48.93592441, 48.97246768, 49.00901095].map((value) => expect.closeTo(value, 6)),
    );
  });

  test("with s.window = 11 and t.window = 19", () => {
    const { season, trend } = stl(nottingham, 12, { season: 11, trend: 19, lowPass: 13 });
    expect([...season.subarray(99, 103)]).toEqual(
      [-2.117244887, 3.264041029, 8.671928071, 12.9748991].map((value) => expect.closeTo(value, 6)),
    );
    expect([...trend.subarray(99, 103)]).toEqual(
      [48.79316181, 48.80335047, 48.65269526, 48.50204006].map((value) => expect.closeTo(value, 6)),
    );
  });
});

describe("mstl", () => {
  test("separates two seasons and a trend", () => {
    const wave = (i: number, steps: number, size: number) => size * Math.sin((2 * Math.PI * i) / steps);
    const values = Float64Array.from(
      { length: 336 },
      (_, i) => 50 + 0.1 * i + wave(i, 7, 5) + wave(i, 28, 9),
    );
    const { seasons, trend, remainder } = mstl(values, [7, 28]);
    for (let i = 60; i < 280; i++) {
      expect(Math.abs(seasons[0]![i]! - wave(i, 7, 5))).toBeLessThan(0.3);
      expect(Math.abs(seasons[1]![i]! - wave(i, 28, 9))).toBeLessThan(0.3);
      expect(Math.abs(trend[i]! - 50 - 0.1 * i)).toBeLessThan(0.5);
      expect(trend[i]! + seasons[0]![i]! + seasons[1]![i]! + remainder[i]!).toBeCloseTo(values[i]!, 9);
    }
  });
});
