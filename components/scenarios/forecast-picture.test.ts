import { expect, it } from "vitest";
import { Shown } from "#components/display/shown.ts";
import type { GeneratedInput } from "#lib/contract/generated-inputs";
import { forecastPicture } from "./forecast-picture.ts";
import { errorText } from "./generated-inputs.tsx";

const days = (...dates: number[]) => dates.map((date) => new Date(Date.UTC(2026, 0, date)).toISOString());
const input: GeneratedInput = {
  feature: "price",
  method: "last value",
  error: 1,
  errorKind: "absolute",
  origins: 24,
  known: { timestamps: days(1, 2, 3), values: [0, null, 4] },
  generated: { timestamps: days(4, 5), values: [4, 3] },
};

const shown = new Shown("Price");

it("draws history and generated values on one axis, with an error band around the generated values", () => {
  expect(forecastPicture(input)).toEqual({
    known: ["0.0,60.0", "100.0,12.0"],
    generated: ["150.0,12.0 200.0,24.0"],
    band: "150.0,0.0 200.0,12.0 200.0,36.0 150.0,24.0",
    split: 150,
    low: 0,
    high: 5,
  });
});

it("returns no picture for non-numeric values, and no band for shares of wrong values", () => {
  const colours = { timestamps: days(1), values: ["red"] };
  expect(forecastPicture({ ...input, known: colours, generated: colours })).toBeNull();
  expect(forecastPicture({ ...input, errorKind: "share" })?.band).toBeNull();
  expect(forecastPicture({ ...input, error: null })?.band).toBeNull();
});

it("describes the error by its kind", () => {
  expect(errorText(input, shown)).toBe("typical error 1 in back-tests from 24 origins");
  expect(errorText({ ...input, errorKind: "share", error: 0.125, origins: 1 }, shown)).toBe(
    "12.5 % wrong values in back-tests from 1 origin",
  );
  expect(errorText({ ...input, error: null }, shown)).toContain("too little history");
});
