import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { buildFeatures } from "./build-features.ts";
import { calendarSteps } from "./calendar-steps.ts";
import { checkPipeline } from "./check-pipeline.ts";
import { fitPipeline, type PipelineRequest } from "./fit-pipeline.ts";
import { type FeatureStep, targetReads } from "./pipeline.ts";
import { trainingFeatures } from "./training-features.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const numbers = (name: string, values: number[]): Column => ({
  name,
  type: "number",
  values: Float64Array.from(values),
});
const tableOf = (...columns: Column[]): Table => {
  const [first] = columns;
  return { rowCount: first!.type === "category" ? first!.codes.length : first!.values.length, columns };
};
const request = (table: Table, more: Partial<PipelineRequest>): PipelineRequest => ({
  table,
  target: "y",
  timestamp: null,
  timezone: "UTC",
  grid: null,
  inputs: [],
  upstream: [],
  calendar: false,
  lags: [],
  rolling: [],
  family: "trees",
  ...more,
});
const stored = (steps: object[], more: object = {}) => ({
  version: 2,
  target: "y",
  timestamp: "at",
  timezone: "UTC",
  grid: { frequency: "P1D", timezone: "UTC", start: 0 },
  steps,
  ...more,
});

describe("a stored pipeline", () => {
  test("of version 1 reads unchanged", () => {
    const steps: FeatureStep[] = [
      { op: "impute", feature: "a", strategy: "median", value: 1 },
      { op: "number", feature: "a", scale: 1 },
      { op: "ordinal", feature: "b", categories: ["x"] },
      { op: "onehot", feature: "b", categories: ["x"] },
      { op: "calendar", field: "hour", encoding: "onehot" },
      { op: "calendar", field: "dayOfYear", encoding: "cyclic", period: 365.25, harmonics: 3 },
      { op: "trend", start: 0, unitMs: 1 },
      { op: "lag", steps: 1, fill: null },
      { op: "rolling", window: 3, shift: 1, statistic: "mean", fill: 2 },
      { op: "upstream", feature: "c", sourceProjectId: "p", fill: null },
    ];
    const old = stored(steps, { version: 1 });
    expect(checkPipeline(JSON.parse(JSON.stringify(old)))).toEqual(old);
  });

  test.each([
    [stored([{ op: "wavelet" }]), 'Feature step 1, op: The operation "wavelet" is unknown.'],
    [
      stored([], { version: 5 }),
      "Feature pipeline version 5 is not supported. The latest supported version is 4.",
    ],
    [stored([{ op: "lag", steps: 0, fill: null }]), /must look back at least one step, not 0/],
    [
      stored([{ op: "difference", shift: 0, span: 1, fill: null }]),
      /must look back at least one step, not 0/,
    ],
    [stored([{ op: "number", feature: "a", scale: "1" }]), /^Feature step 1, scale: /],
    [stored([{ op: "calendar", field: "fortnight", encoding: "number" }]), /^Feature step 1, field: /],
    [
      stored([{ op: "lag", steps: 1, fill: null }], { grid: null }),
      /needs a series with a regular frequency/,
    ],
    [stored([{ op: "trend", start: 0, unitMs: 1 }], { timestamp: null }), /needs a timestamp column/],
    [null, /object/],
  ])("that is invalid is rejected with the reason: %#", (pipeline, message) => {
    expect(() => checkPipeline(pipeline)).toThrow(message);
  });
});

describe("combine", () => {
  test("treats ratios over 0 and overflows as missing: NaN for trees, the median for a linear model", () => {
    const table = tableOf(
      numbers("a", [1, 6, 3, 1e300, 8, 0]),
      numbers("b", [0, 2, 1, 1e-300, 2, 0]),
      numbers("y", [1, 2, 3, 4, 5, 6]),
    );
    const ratio = (family: "trees" | "linear") => {
      const combinations = [{ operation: "ratio" as const, feature: "a", other: "b" }];
      const pipeline = fitPipeline(request(table, { inputs: ["a", "b"], combinations, family }));
      const { names, columns, sources } = buildFeatures(pipeline, table);
      expect([names[2], sources[2]]).toEqual(["a / b", "a"]);
      return [...columns[2]!];
    };
    expect(ratio("trees")).toEqual([Number.NaN, 3, 3, Number.NaN, 4, Number.NaN]);
    expect(ratio("linear")).toEqual([3, 3, 3, 3, 4, 3]);
  });

  test("rejects an input that is not numeric", () => {
    const table = tableOf(numbers("a", [1, 2]), numbers("y", [1, 2]));
    const combinations = [{ operation: "ratio" as const, feature: "a", other: "speed" }];
    expect(() => fitPipeline(request(table, { inputs: ["a"], combinations }))).toThrow('"speed" is not one');
  });
});

test("difference: returns the target's growth that ends `shift` steps back", () => {
  const pipeline = checkPipeline(stored([{ op: "difference", shift: 1, span: 2, fill: null }]));
  const at: Column = {
    name: "at",
    type: "timestamp",
    values: Float64Array.from([3, 4, 5], (day) => day * DAY),
  };
  const observed = Float64Array.from([1, 4, 9, 16, 25]);
  const [column] = buildFeatures(pipeline, tableOf(at), { firstIndex: 0, observed }).columns;
  expect([...column!]).toEqual([9 - 1, 16 - 4, 25 - 9]);
  expect(pipeline.steps.map(targetReads)).toEqual([{ nearest: 1, furthest: 3 }]);
});

test("holiday: returns the day in the zone's calendar, and the days until and since, up to a week", () => {
  const christmas = Date.UTC(2024, 11, 25) / DAY;
  const pipeline = checkPipeline(
    stored([{ op: "holiday", country: "DE", region: null, days: [christmas, christmas + 1], reach: 7 }], {
      timezone: "Europe/Berlin",
    }),
  );
  const berlin = (day: number, hour: number) => Date.UTC(2024, 11, day, hour - 1);
  const times = [berlin(1, 12), berlin(24, 23), berlin(25, 0), berlin(26, 23), berlin(27, 0), Number.NaN];
  const at: Column = { name: "at", type: "timestamp", values: Float64Array.from(times) };
  const { columns } = buildFeatures(pipeline, tableOf(at));
  expect(columns.map((column) => [...column])).toEqual([
    [0, 0, 1, 1, 0, Number.NaN],
    [7, 1, 0, 0, 7, Number.NaN],
    [7, 7, 0, 0, 1, Number.NaN],
  ]);
});

describe("targetEncoding", () => {
  const anyRows = fc.array(fc.tuple(fc.integer({ min: -1, max: 39 }), fc.integer({ min: -9, max: 9 })), {
    minLength: 30,
    maxLength: 120,
  });
  const shopTable = (rows: [number, number][]) =>
    tableOf(
      {
        name: "shop",
        type: "category",
        categories: Array.from({ length: 40 }, (_, i) => `s${i}`),
        codes: Int32Array.from(rows, ([code]) => code),
      },
      numbers(
        "y",
        rows.map(([, y]) => y),
      ),
    );

  test("reads only the preceding rows in training, and all rows later", () => {
    fc.assert(
      fc.property(anyRows, fc.nat(), (rows, place) => {
        const table = shopTable(rows);
        const pipeline = fitPipeline(request(table, { inputs: ["shop"] }));
        fc.pre(pipeline.steps.some(({ op }) => op === "targetEncoding"));
        const row = place % rows.length;
        const later = shopTable(rows.map(([code, y], i) => [code, i < row ? y : -3 * y + 1]));
        const encoded = (of: Table) =>
          trainingFeatures(pipeline, of, { from: 0, to: rows.length }).columns[0]!.slice(0, row + 1);
        expect(encoded(later)).toEqual(encoded(table));
        const part = trainingFeatures(pipeline, table, { from: row, to: rows.length }).columns[0]!;
        const all = trainingFeatures(pipeline, table, { from: 0, to: rows.length }).columns[0]!;
        expect(part).toEqual(all.slice(row));
      }),
      { numRuns: 40 },
    );
  });

  test("uses the overall mean for categories seen never or only once", () => {
    const table = shopTable(Array.from({ length: 39 }, (_, i) => [i === 20 ? 0 : i, i]));
    const pipeline = fitPipeline(request(table, { inputs: ["shop"] }));
    expect(pipeline.steps).toMatchObject([{ op: "targetEncoding", categories: ["s0"], fill: null }]);
    const { unseen, values } = pipeline.steps[0] as Extract<FeatureStep, { op: "targetEncoding" }>;
    expect(unseen).toBe(19);
    expect(values).toEqual([(0 + 20 + 10 * 19) / 12]);
  });
});

describe("scaling", () => {
  test.each([
    ["input", []],
    ["upstream prediction", [{ feature: "a", sourceProjectId: "weather" }]],
  ])("keeps small changes of an %s next to a large constant for a linear model", (_, upstream) => {
    const random = seededRandom(1);
    const values = Array.from({ length: 50 }, () => 1e9 + random.next());
    const table = tableOf(numbers("a", values), numbers("y", values));
    const [scaled] = buildFeatures(
      fitPipeline(request(table, { inputs: ["a"], upstream, family: "linear" })),
      table,
    ).columns;
    expect(new Set(scaled).size).toBe(50);
    expect(scaled!.reduce((sum, value) => sum + value, 0) / 50).toBeCloseTo(0, 5);
    expect(scaled!.reduce((sum, value) => sum + value ** 2, 0) / 50).toBeCloseTo(1, 5);
  });

  test.each([
    ["mean", 2],
    ["median", 1],
  ] as const)("fills missing numbers with the %s on request", (impute, value) => {
    const table = tableOf(numbers("a", [1, 1, 4, Number.NaN]), numbers("y", [1, 2, 3, 4]));
    const pipeline = fitPipeline(request(table, { inputs: ["a"], impute }));
    expect(pipeline.steps[0]).toEqual({ op: "impute", feature: "a", strategy: impute, value });
    expect(buildFeatures(pipeline, table).columns).toEqual([Float32Array.of(1, 1, 4, value)]);
  });
});

describe("calendar features of a frequency", () => {
  const times = (stepMs: number, spanMs: number) =>
    Float64Array.from(
      { length: Math.floor(spanMs / stepMs) + 1 },
      (_, i) => Date.UTC(2020, 0, 1) + i * stepMs,
    );
  const fields = (instants: Float64Array, family: "trees" | "linear") =>
    calendarSteps(instants, family).map((step) =>
      step.op === "calendar" ? `${step.field} ${step.encoding}` : step.op,
    );
  test.each([
    [
      "quarter hours over two months",
      HOUR / 4,
      60 * DAY,
      "minuteOfDay hour weekday",
      "minuteOfDay~ hour weekday",
    ],
    [
      "hours over two years",
      HOUR,
      740 * DAY,
      "hour hourOfWeek weekday dayOfYear",
      "hourOfWeek dayOfYear~ trend",
    ],
    ["days over a year", DAY, 370 * DAY, "weekday dayOfYear", "weekday dayOfYear~"],
    ["months over four years", 30.4375 * DAY, 1461 * DAY, "month", "month trend"],
    ["months over two years", 30.4375 * DAY, 731 * DAY, "month", "month~ trend"],
    ["hours over a day", HOUR, DAY, "", ""],
  ])("%s", (_, step, span, trees, linear) => {
    const instants = times(step, span);
    const written = (text: string, plain: string) =>
      text
        .split(" ")
        .filter((field) => field !== "")
        .map((field) =>
          field === "trend"
            ? field
            : field.endsWith("~")
              ? `${field.slice(0, -1)} cyclic`
              : `${field} ${plain}`,
        );
    expect(fields(instants, "trees")).toEqual(written(trees, "number"));
    expect(fields(instants, "linear")).toEqual(written(linear, "onehot"));
  });
});
