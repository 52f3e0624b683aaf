import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { InputFeature } from "#lib/contract/models";
import { PredictRequest } from "#lib/contract/predictions";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import {
  curlLine,
  predictBody,
  requestedFeatures,
  rowAt,
  sliderStep,
  sliderText,
  startValues,
  valuesOfDate,
} from "./try-values.ts";

const feature = (name: string, overrides: Partial<InputFeature>): InputFeature => ({
  name,
  type: "number",
  role: "input",
  required: true,
  min: 0,
  max: 10,
  mean: 5,
  median: 4.123456,
  missing: 0,
  categories: null,
  sourceProjectId: null,
  ...overrides,
});
const features = [
  feature("temp", {}),
  feature("holiday", { type: "boolean", median: 0 }),
  feature("city", { type: "category", median: null, categories: ["Bern", "Genève"] }),
  feature("at", { type: "timestamp", role: "timestamp", max: Date.parse("2026-01-31T00:00:00Z") }),
];

describe("sliderStep", () => {
  it("is a whole number for whole values and smaller for fractions", () => {
    expect(sliderStep(0, 23, 12)).toBe(1);
    expect(sliderStep(0, 1, 0)).toBe(1);
    expect(sliderStep(0, 1, 0.48)).toBe(0.005);
    expect(sliderStep(0, 1_000, 400)).toBe(5);
  });
});

describe("sliderText", () => {
  const range = (min: number, max: number) => ({ min, max, step: sliderStep(min, max, null) });

  it("distinguishes neighbouring steps, also of large numbers", () => {
    const text = (value: number) => sliderText(value, range(101_200, 101_400));
    expect([101_324, 101_325, 101_326].map(text)).toEqual(["101324", "101325", "101326"]);
    expect(sliderText(1_000_250, range(1_000_000, 1_010_000))).toBe("1000250");
  });

  it("rounds fractions, but not beyond the known range", () => {
    expect(sliderText(0.1 + 0.2, range(0, 1.5))).toBe("0.3");
    expect(sliderText(9.87654321, range(0.12345678, 9.87654321))).toBe("9.87654321");
    expect(sliderText(0.12345678, range(0.12345678, 9.87654321))).toBe("0.12345678");
  });
});

describe("startValues", () => {
  it("proposes medians, the most frequent category and the next time", () => {
    expect(startValues(features, "2026-02-01T00:00:00.000Z")).toEqual({
      temp: "4.123",
      holiday: "false",
      city: "Bern",
      at: "2026-02-01T00:00",
    });
  });

  it("proposes the row at the next time, and medians for what it lacks", () => {
    const column = (name: string, type: "number" | "timestamp") => ({ name, type, computed: false });
    const row = {
      ...({} as ScenarioRows["rows"][number]),
      input: ["2026-02-01T00:00:00.000Z", 2.0123456789, null],
    };
    const rows: ScenarioRows = {
      rowCount: 1,
      columns: [column("at", "timestamp"), column("temp", "number"), column("holiday", "number")],
      rows: [row],
    };
    const next = "2026-02-01T00:00:00Z";
    expect(startValues(features, next, rowAt(next, rows))).toEqual({
      temp: "2.01235",
      holiday: "false",
      city: "Bern",
      at: "2026-02-01T00:00",
    });
    expect(rowAt("2026-02-02T00:00:00Z", rows)).toBeNull();
    expect(rowAt(null, rows)).toBeNull();
    const untimed = { ...rows, columns: [column("temp", "number")], rows: [{ ...row, input: [202_403] }] };
    expect(startValues([feature("temp", {})], null, rowAt(null, untimed))).toEqual({ temp: "202403" });
    expect(rowAt(next, untimed)).toBeNull();
  });

  it("keeps the seconds of the next time", () => {
    expect(startValues(features, "2026-02-01T00:00:30.000Z").at).toBe("2026-02-01T00:00:30");
  });

  it("rounds a median, but not beyond the known range", () => {
    const code = feature("code", { min: 202_401, max: 202_406, median: 202_403 });
    const constant = feature("constant", { min: 12_345.6, max: 12_345.6, median: 12_345.6 });
    expect(startValues([code, constant], null)).toEqual({ code: "202401", constant: "12345.6" });
  });

  it("proposes the last known time without a frequency", () => {
    expect(startValues(features, null).at).toBe("2026-01-31T00:00");
  });
});

describe("startValues of an imported model", () => {
  it("proposes zeros without training statistics", () => {
    const unknown = { median: null, min: null, max: null };
    expect(startValues([feature("x", unknown), feature("b", { ...unknown, type: "boolean" })], null)).toEqual(
      {
        x: "0",
        b: "false",
      },
    );
  });
});

describe("requestedFeatures", () => {
  it("omits the hour column of a joined timestamp", () => {
    const date = feature("dteday", { type: "timestamp", role: "timestamp" });
    const hour = feature("hr", { role: "timestamp" });
    const input = feature("temp", {});
    expect(requestedFeatures([date, hour, input])).toEqual([date, input]);
  });
});

describe("predictBody", () => {
  it("sends one row with values in the features' types and times in UTC", () => {
    const body = predictBody(features, startValues(features, "2026-02-01T00:00:00.000Z"), "");
    expect(PredictRequest.parse(body)).toEqual({
      input: { temp: [4.123], holiday: [false], city: ["Bern"], at: ["2026-02-01T00:00Z"] },
      include: ["intervals", "contributions"],
    });
  });

  it("sends an empty field as missing, and invalid numbers as text for the service to reject", () => {
    const { input } = predictBody(features, { temp: "warm", holiday: "", city: "", at: "" }, "c1");
    expect(input).toEqual({ temp: ["warm"], holiday: [null], city: [null], at: [null] });
  });
});

describe("curlLine", () => {
  it("passes the body through a shell unchanged, including quotes", () => {
    const body = { input: { city: ["Côte d'Or $HOME `x` \\"] } };
    const line = curlLine("http://localhost/predict", body).replace(/^curl/, "printf '%s\\n'");
    const shown = execFileSync("sh", ["-c", line], { encoding: "utf8" }).trim().split("\n");
    expect(JSON.parse(shown.at(-1)!)).toEqual(body);
  });
});

describe("features that follow from the date", () => {
  const month = { part: "month" as const, timezone: "Europe/Berlin", offset: 0 };
  const holidays = { country: "DE", region: null, observed: false, days: [0, 20_454, 30_000] };
  const working = {
    part: "holiday" as const,
    timezone: "Europe/Berlin",
    holidays,
    values: [
      { from: 0, value: true },
      { from: 1, value: false },
    ],
  };
  const dated = [
    feature("month", { median: 7, dateRule: month }),
    feature("working", { type: "boolean", median: 1, dateRule: working }),
    feature("temp", { median: 3 }),
    feature("at", { type: "timestamp", role: "timestamp" }),
  ];

  it("start with the values of the first time, also if a row has others", () => {
    const values = startValues(dated, "2026-01-01T00:00:00.000Z");
    expect(values).toMatchObject({ month: "1", working: "false", temp: "3", at: "2026-01-01T00:00" });
    const row = new Map([["month", 7]]);
    expect(startValues(dated, "2026-01-01T00:00:00.000Z", row)).toMatchObject({ month: "1" });
  });

  it("have the values of another date, read in UTC and counted in the zone of the data", () => {
    expect(valuesOfDate(dated, { at: "2026-01-31T23:30" })).toEqual({ month: "2", working: "true" });
    expect(valuesOfDate(dated, { at: "2026-07-01T00:00" })).toEqual({ month: "7", working: "true" });
  });

  it("keep their values without a readable date", () => {
    expect(valuesOfDate(dated, { at: "" })).toEqual({});
    expect(valuesOfDate(dated, {})).toEqual({});
  });
});
