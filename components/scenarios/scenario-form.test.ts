import { describe, expect, it, test } from "vitest";
import { CreateScenario, type Scenario } from "#lib/contract/scenarios";
import { type ScenarioValues, scenarioBody, unchangedReason } from "./scenario-form.ts";

const id = "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f";
const values: ScenarioValues = {
  title: "Warmer",
  description: " ",
  color: "#3498db",
  checkpointId: id,
  checkpointLabel: "left over",
  endDate: "2026-02-14",
  adjustments: [{ feature: "temp", operation: "add", value: 2 }],
  upstreams: {},
};

describe("scenarioBody", () => {
  it("sends a CSV with its name, without the date and label of other input sources", () => {
    const body = scenarioBody(values, "upload", { fileData: "YQ==", fileName: "a.csv" }, null, "UTC");
    expect(body).toEqual({
      title: "Warmer",
      color: "#3498db",
      checkpointId: id,
      fileData: "YQ==",
      fileName: "a.csv",
    });
    expect(CreateScenario.safeParse(body).success).toBe(true);
  });

  it("requests a new checkpoint by omitting the ID, with an optional label", () => {
    const body = scenarioBody({ ...values, checkpointId: "" }, "generate", null, null, "UTC");
    expect(body).toEqual({
      title: "Warmer",
      color: "#3498db",
      checkpointLabel: "left over",
      endDate: "2026-02-14T23:59:59Z",
    });
  });

  it("ends generated input with the day of the dataset's zone", () => {
    const body = scenarioBody(values, "generate", null, null, "Europe/Berlin");
    expect(body.endDate).toBe("2026-02-14T22:59:59Z");
  });

  it("sends null to save the current model of an upstream project", () => {
    const body = scenarioBody({ ...values, upstreams: { [id]: "" } }, "generate", null, null, "UTC");
    expect(body.dependentProjectCheckpoints).toEqual({ [id]: null });
  });
});

test("names a copy that would equal its scenario", () => {
  const base = {
    title: "Base",
    checkpointId: id,
    dependentProjectCheckpoints: { p: "u" },
  } as Partial<Scenario>;
  const copy = { adjustments: [], checkpointId: id, upstreams: { p: "u" } };
  const reason = (change: Partial<ScenarioValues>) =>
    unchangedReason(base as Scenario, { ...copy, ...change });
  expect(reason({})).toBe("Without a step, the copy equals “Base”.");
  expect(reason({ adjustments: values.adjustments })).toBeNull();
  expect(reason({ checkpointId: "" })).toBeNull();
  expect(reason({ upstreams: { p: "" } })).toBeNull();
});
