import { describe, expect, it } from "vitest";
import { validationPreview } from "#lib/engine/training/validation-preview";
import { describeValidation, prepareScatter, prepareValidation } from "./prepare-validation.ts";

const validation = {
  timestamps: ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z"],
  rows: [11, 12, 13],
  actual: [1, 2, null],
  predicted: [2, 1.5, 4],
};

describe("prepareValidation", () => {
  it("pairs actuals and predictions with their errors", () => {
    const { series, kind, domain } = prepareValidation(validation);
    expect(kind).toBe("time");
    expect(domain).toEqual([Date.parse("2026-01-01"), Date.parse("2026-01-03")]);
    expect(series).toMatchObject([
      { values: Float64Array.of(1, 2, Number.NaN) },
      { values: Float64Array.of(2, 1.5, 4), differences: Float64Array.of(1, -0.5, Number.NaN) },
    ]);
  });

  it("shows values that training treated as gaps as points of their own", () => {
    const { series } = prepareValidation({ ...validation, predicted: [2, null, 4], treated: [12] });
    expect(series.map(({ title }) => title)).toEqual(["Actual", "Predicted", "Treated as a gap"]);
    expect([...series[2]!.values]).toEqual([Number.NaN, 2, Number.NaN]);
    expect([...series[1]!.values]).toEqual([2, Number.NaN, 4]);
  });

  it("sorts randomly held-out rows, so that a line has one direction", () => {
    const { series, kind, xs } = prepareValidation({ ...validation, timestamps: null, rows: [30, 2, 17] });
    expect(kind).toBe("row");
    expect([...xs]).toEqual([2, 17, 30]);
    expect([...series[1]!.values]).toEqual([1.5, 4, 2]);
  });
});

describe("prepareScatter", () => {
  it("keeps complete pairs inside a square with round bounds", () => {
    expect(prepareScatter(validation)).toEqual({
      actual: [1, 2],
      predicted: [2, 1.5],
      ticks: [1, 1.2, 1.4, 1.6, 1.8, 2],
    });
  });
});

describe("describeValidation", () => {
  it("describes the mean error and bias in words", () => {
    expect(describeValidation(validation)).toBe(
      "2 validation rows. Mean absolute error 0.75. The prediction is too high in 50 % of the rows.",
    );
  });

  it("reports that 1,000 points may be a sample, because all rows give as many", () => {
    const textOf = (length: number) => {
      const rows = Int32Array.from({ length }, (_, row) => row);
      const actual = Float64Array.from(rows);
      return describeValidation(validationPreview(rows, actual, actual, null));
    };
    expect(textOf(999)).toMatch(/^999 validation rows\. /);
    expect(textOf(1_000)).toMatch(/^1,000 validation rows, evenly spaced if there are more\. /);
    expect(textOf(5_000)).toBe(textOf(1_000));
  });
});
