import { describe, expect, it } from "vitest";
import { describeValidation, prepareScatter, prepareValidation } from "./prepare-validation.ts";

const validation = {
  timestamps: ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z"],
  rows: [11, 12, 13],
  actual: [1, 2, null],
  predicted: [2, 1.5, 4],
};

describe("prepareValidation", () => {
  it("pairs actual and predicted with the error between them", () => {
    const { points, kind, domain } = prepareValidation(validation);
    expect(kind).toBe("time");
    expect(domain).toEqual([Date.parse("2026-01-01"), Date.parse("2026-01-03")]);
    expect(points.map(({ v0, v1, d1 }) => [v0, v1, d1])).toEqual([
      [1, 2, 1],
      [2, 1.5, -0.5],
      [null, 4, null],
    ]);
  });

  it("orders rows that were held out by chance, so that a line goes one way", () => {
    const { points, kind } = prepareValidation({ ...validation, timestamps: null, rows: [30, 2, 17] });
    expect(kind).toBe("row");
    expect(points.map(({ x }) => x)).toEqual([2, 17, 30]);
  });
});

describe("prepareScatter", () => {
  it("keeps pairs that have both sides, in a square of round numbers that holds them", () => {
    expect(prepareScatter(validation)).toEqual({
      points: [
        { actual: 1, predicted: 2 },
        { actual: 2, predicted: 1.5 },
      ],
      ticks: [1, 1.2, 1.4, 1.6, 1.8, 2],
    });
  });
});

describe("describeValidation", () => {
  it("says in words how far the predictions are off", () => {
    expect(describeValidation(validation)).toBe(
      "2 validation rows. The prediction is off by 0.75 on average; it is too high in 50 % of the rows.",
    );
  });
});
