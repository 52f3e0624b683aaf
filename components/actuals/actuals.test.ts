import { describe, expect, it } from "vitest";
import { layersOf } from "#components/chart/columns.ts";
import { prepareSeries } from "#components/chart/prepare-series.ts";
import { Shown } from "#components/display/shown.ts";
import type { ForecastErrors } from "#lib/contract/actuals";
import type { Dataset } from "#lib/contract/datasets";
import { dataset, model, modelChanges } from "#testing/recorded-answers";
import { verdict } from "./changes-card.tsx";
import { describeErrors } from "./describe-errors.ts";
import { rowsSince } from "./retrain-card.tsx";
import { newerModelText } from "./same-rows-text.ts";

const errors: ForecastErrors = {
  rows: 20,
  rmse: 4,
  mae: 3,
  bias: -1.5,
  coverage: 0.85,
  baseline: { rmse: 8, mae: 6 },
};

describe("actuals", () => {
  it("draws actuals over the predictions, with a gap where no actual is known", () => {
    const points = {
      timestamps: ["2026-02-01T00:00:00.000Z", "2026-02-02T00:00:00.000Z"],
      values: [5, 6],
      actual: [4, null],
      lower: [3, null],
      upper: [7, null],
    };
    const prepared = prepareSeries(points, { id: "s", title: "Warm", color: "#39d" });
    expect([...prepared.xs]).toEqual(points.timestamps.map((time) => Date.parse(time)));
    const gap = Number.NaN;
    expect(prepared.series).toMatchObject([
      {
        title: "Warm",
        values: Float64Array.of(5, 6),
        band: { lower: Float64Array.of(3, gap), upper: Float64Array.of(7, gap) },
      },
      { title: "Actual", values: Float64Array.of(4, gap), band: null },
    ]);
  });

  it("draws lower levels inside the 90% interval, widest first", () => {
    const ends = (half: number) => ({ lower: [5 - half, null], upper: [5 + half, null] });
    const points = { timestamps: ["2026-02-01T00:00:00.000Z"], values: [5], actual: [4], ...ends(3) };
    const levels = [0.5, 0.8].map((level) => ({ level, ...ends(2 * level) }));
    const [drawn] = prepareSeries({ ...points, levels }, { id: "s", title: "", color: "" }).series;
    expect(layersOf(drawn!.band).map(({ upper }) => upper[0])).toEqual([8, 6.6, 6]);
  });

  it("summarises the errors in one sentence with the target's unit and the naive forecast", () => {
    expect(describeErrors(errors, new Shown("demand"), "last value")).toBe(
      "20 actuals: mean absolute error 3 in units of demand, predictions 1.5 too low on average, 85\u00a0% inside the 90 % prediction interval. This is better than the naive forecast (last value), with a mean absolute error of 6.",
    );
    expect(describeErrors({ ...errors, mae: 7, coverage: null }, new Shown("demand"), null)).toContain(
      "worse",
    );
    expect(describeErrors({ ...errors, rows: 1 }, new Shown("demand"), null)).toMatch(/^1 actual: /);
  });

  it("counts the dataset's additional rows of the model's target, if the count is known", () => {
    const longer: Dataset = { ...dataset, rowCount: (model.datasetRows ?? 0) + 14 };
    expect(rowsSince(model, longer)).toBe(14);
    expect(rowsSince({ ...model, request: null }, longer)).toBe(0);
    expect(rowsSince({ ...model, datasetRows: null }, longer)).toBe(0);
    expect(rowsSince(model, { ...dataset, rowCount: 3 })).toBe(0);
    expect(rowsSince(model, { ...longer, target: "other" })).toBe(0);
  });
});

describe("verdict of a training", () => {
  it("compares errors on the same rows, and makes no claim on different rows", () => {
    const span = { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" };
    const after = { ...errors, rmse: 3 };
    expect(verdict({ sameRows: { ...span, before: errors, after } })).toContain("25 % smaller");
    expect(verdict({ sameRows: { ...span, before: after, after: errors } })).toContain("33.3 % larger");
    expect(verdict({ sameRows: null })).toContain("different rows");
  });

  it("names the sampled series, and the errors of a newer model if the run has the previous one", () => {
    const span = { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" };
    const sameRows = { ...span, before: errors, after: { ...errors, rmse: 3 } };
    const series = { measured: 300, count: 10_000 };
    expect(verdict({ sameRows: { ...sameRows, series } })).toContain(
      "On 20 rows of 300 of 10,000 series that",
    );
    const changes = { ...modelChanges, beforeId: "former", sameRows };
    expect(newerModelText(changes, "former")).toBe("A newer model exists (RMSE 4 → 3 on the same rows).");
    expect(newerModelText(changes, "earlier")).toBe("A newer model exists.");
    expect(newerModelText({ ...changes, sameRows: null }, "former")).toBe("A newer model exists.");
  });

  it("compares with a model without errors", () => {
    const span = { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" };
    const perfect = { ...errors, rmse: 0 };
    const rows = "On 20 rows that neither model was trained on";
    expect(verdict({ sameRows: { ...span, before: perfect, after: perfect } })).toBe(
      `${rows}, the error is the same as that of the previous model.`,
    );
    expect(verdict({ sameRows: { ...span, before: perfect, after: errors } })).toBe(
      `${rows}, the error is larger than that of the previous model.`,
    );
  });
});
