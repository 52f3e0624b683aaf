import { describe, expect, it } from "vitest";
import { model } from "#lib/api/openapi/examples/objects";
import { dataset, scenario } from "#lib/api/openapi/examples/series";
import type { ForecastErrors } from "#lib/contract/actuals";
import type { Dataset } from "#lib/contract/datasets";
import { verdict } from "./changes-card.tsx";
import { describeErrors, prepareActuals } from "./prepare-actuals.ts";
import { rowsSince } from "./retrain-card.tsx";
import { rerunBody } from "./stale-pinned-checkpoints.tsx";

const errors: ForecastErrors = {
  ...{ rows: 20, rmse: 4, mae: 3, bias: -1.5, coverage: 0.85 },
  baseline: { rmse: 8, mae: 6 },
};

describe("actual values", () => {
  it("are drawn over the predictions, with a gap where none has arrived", () => {
    const points = {
      timestamps: ["2026-02-01T00:00:00.000Z", "2026-02-02T00:00:00.000Z"],
      ...{ predicted: [5, 6], actual: [4, null], lower: [3, null], upper: [7, null] },
    };
    const prepared = prepareActuals(points, { id: "s", title: "Warm", color: "#39d" });
    expect(prepared.points).toMatchObject([
      { v0: 5, v1: 4, b0: [3, 7] },
      { v0: 6, v1: null, b0: null },
    ]);
    expect(prepared).toMatchObject({ hasBands: true, series: [{ title: "Warm" }, { title: "Actual" }] });
  });

  it("are summed up in one sentence, with the target's unit and the naive forecast beside", () => {
    expect(describeErrors(errors, "demand", "last value")).toBe(
      "20 actual values: off by 3 on average, in units of demand, 1.5 too low on balance, 85\u00a0% inside the 90 % interval. That is better than the naive forecast (last value), which is off by 6.",
    );
    expect(describeErrors({ ...errors, mae: 7, coverage: null }, "demand", null)).toContain("worse");
  });

  it("that came since a training are counted, where that can be told", () => {
    const longer: Dataset = { ...dataset, rowCount: (model.datasetRows ?? 0) + 14 };
    expect(rowsSince(model, longer)).toBe(14);
    expect(rowsSince({ ...model, request: null }, longer)).toBe(0);
    expect(rowsSince({ ...model, datasetRows: null }, longer)).toBe(0);
    expect(rowsSince(model, { ...dataset, rowCount: 3 })).toBe(0);
  });
});

describe("what changed", () => {
  it("is told by the errors on the same rows, or not called better at all", () => {
    const span = { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" };
    const after = { ...errors, rmse: 3 };
    expect(verdict({ sameRows: { ...span, before: errors, after } })).toContain("25 % smaller");
    expect(verdict({ sameRows: { ...span, before: after, after: errors } })).toContain("33.3 % larger");
    expect(verdict({ sameRows: null })).toContain("different rows");
  });
});

describe("running again on newer checkpoints", () => {
  it("keeps input and main checkpoint, and moves the stale pins alone", () => {
    const pin = { projectId: "p", checkpointId: "old", label: "A" };
    const stale = { ...pin, defaultCheckpointId: "new", defaultLabel: "B" };
    const pinned = { ...scenario, dependentProjectCheckpoints: { p: "old", q: "kept" }, stalePins: [stale] };
    expect(rerunBody(pinned)).toMatchObject({
      baseScenarioId: scenario.id,
      checkpointId: scenario.checkpointId,
      dependentProjectCheckpoints: { p: "new", q: "kept" },
    });
  });
});
