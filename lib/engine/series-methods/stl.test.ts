import { describe, expect, test } from "vitest";
import { accidentalDeaths, airPassengers, nottingham } from "#testing/classic-series";
import { mstl, stl, stlWindows } from "./stl.ts";
import { fitStlEts, stlEtsFilter } from "./stl-ets.ts";

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

/** Columns of R's output: trend, seasons, remainder; rows 1, 2, 50 and the last. */
type Rows = number[][];

// Output of forecast 8.20 in R 4.2.2. The smoothers have no search: all printed digits agree.
const references: {
  name: string;
  values: Float64Array;
  one: Rows;
  two: Rows;
  forecast: { trend: "none" | "additive"; alpha: number; level: number; expected: number[] };
}[] = [
  {
    name: "AirPassengers",
    values: airPassengers,
    one: [
      [123.1450569, -16.977074086, 5.8320171583],
      [123.7250692, -17.177633337, 11.4525640973],
      [217.7462658, -23.354171679, 1.6079058868],
      [496.683254, -44.196324979, -20.4869290462],
    ],
    two: [
      [124.896859, 5.995429853, -31.815511721, 12.923222899],
      [125.2394493, 9.299871197, -32.130157495, 15.590837045],
      [217.8229201, 9.334992419, -38.100016311, 6.9421038318],
      [499.6967294, 1.913829118, -44.462854457, -25.1477040408],
    ],
    forecast: {
      trend: "additive",
      alpha: 0.8526432274,
      level: 126.840134,
      expected: [445.2992136, 429.2091997, 472.572268, 472.3699415, 481.9384051, 536.4742362],
    },
  },
  {
    name: "USAccDeaths",
    values: accidentalDeaths,
    one: [
      [9988.949007, -860.44950334, -121.499503788],
      [9920.4817, -1572.22365993, -242.258040018],
      [8467.068443, -1513.07792682, 3.009483997],
      [9071.576299, 39.49063361, 128.933067581],
    ],
    two: [
      [9997.749676, 390.9144582, -1304.4764628, -77.1876711],
      [9928.259096, -203.4361254, -1382.1987974, -236.62417284],
      [8467.385723, -208.540221, -1354.7711908, 52.92568833],
      [9062.749169, 355.4169198, -314.0373747, 135.87128619],
    ],
    forecast: {
      trend: "none",
      alpha: 0.602120795,
      level: 9743.287364,
      expected: [8332.951836, 7601.489981, 8356.908867, 8583.585639, 9456.581174, 9857.115054],
    },
  },
  {
    name: "nottem",
    values: nottingham,
    one: [
      [49.04015421, -8.280964915, -0.1591892968],
      [49.04246622, -8.921355641, 0.6788894166],
      [47.51139526, -8.825944467, -1.1854507953],
      [48.97527033, -10.331727645, -0.8435426799],
    ],
    two: [
      [49.33054999, 1.980114549, -10.847516963, 0.1368524271],
      [49.295866, -0.3706740122, -9.820305361, 1.6951133772],
      [47.51834196, 0.7096448419, -10.081859079, -0.6461277176],
      [48.90738897, -1.11192138, -9.684782704, -0.3106848858],
    ],
    forecast: {
      trend: "none",
      alpha: 0.05968136853,
      level: 49.1293004,
      expected: [39.59957257, 39.67481673, 42.65239637, 46.63671354, 52.53755118, 58.96918999],
    },
  },
];

describe.each(references)("mstl agrees with R: $name", ({ values, one, two, forecast }) => {
  const rowsOf = ({ seasons, trend, remainder }: ReturnType<typeof mstl>): Rows =>
    [0, 1, 49, values.length - 1].map((i) => [
      trend[i]!,
      ...seasons.map((season) => season[i]!),
      remainder[i]!,
    ]);
  const close = (rows: Rows) => rows.map((row) => row.map((value) => expect.closeTo(value, 5)));

  test("mstl(x)", () => {
    expect(rowsOf(mstl(values, [12]))).toEqual(close(one));
  });

  test("mstl(msts(x, c(6, 12)))", () => {
    expect(rowsOf(mstl(values, [6, 12]))).toEqual(close(two));
  });

  test('stlf(x, method = "ets") with the same form', () => {
    const fit = fitStlEts(values, [12])!;
    expect(fit.adjusted.form).toEqual({ error: "additive", trend: forecast.trend, season: "none" });
    // R's search for the smoothing stops earlier: 2 digits of alpha, 4 of the forecasts.
    expect(Math.abs(fit.adjusted.alpha - forecast.alpha)).toBeLessThan(0.005);
    expect(Math.abs(fit.adjusted.level / forecast.level - 1)).toBeLessThan(0.01);
    const filter = stlEtsFilter(fit);
    for (const value of values) filter.update(value);
    filter.forecast(forecast.expected.length).values.forEach((value, i) => {
      expect(Math.abs(value / forecast.expected[i]! - 1)).toBeLessThan(1e-4);
    });
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
