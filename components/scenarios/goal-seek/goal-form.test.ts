import { expect, test } from "vitest";
import { proposedDisplays as displays } from "#components/display/shown.ts";
import type { GoalSeekResult } from "#lib/contract/goal-seek";
import type { InputFeature } from "#lib/contract/models";
import { boundsOf, type GoalFields, goalRequest, newLever, resultText } from "./goal-form.ts";

const price = { name: "price", type: "number", min: 4, max: 8 } as InputFeature;
const fields: GoalFields = {
  levers: [newLever(price)],
  statistic: "sum",
  of: "prediction",
  relation: "equal",
  value: "120",
  most: "",
  from: "",
  to: "",
};

test("makes a request of complete fields, with the limit as a constraint and the span", () => {
  expect(goalRequest(fields).request).toEqual({
    levers: [{ feature: "price", operation: "multiply", min: 0.8, max: 1.2, step: 0.01 }],
    goal: { statistic: "sum", of: "prediction", relation: "equal", value: 120 },
  });
  const limited = goalRequest({ ...fields, most: "9", from: "2026-02-01", to: "2026-02-02T23:59:59Z" });
  expect(limited.request).toMatchObject({
    constraints: [{ statistic: "max", of: "prediction", relation: "atMost", value: 9 }],
    from: "2026-02-01",
    to: "2026-02-02T23:59:59Z",
  });
});

test("names the errors of empty and invalid fields instead of a request", () => {
  const lever = newLever(price);
  const number = "Enter a number";
  for (const [change, errors] of [
    [{ value: "" }, { value: number, levers: [{}] }],
    [{ to: "12026-01-01" }, { days: "Enter existing days.", levers: [{}] }],
    [{ most: "-" }, { most: number, levers: [{}] }],
    [{ levers: [lever, { ...lever, step: "0" }] }, { levers: [{}, { step: "Enter a number above 0" }] }],
    [{ levers: [{ ...lever, max: "" }] }, { levers: [{ max: number }] }],
    [{ levers: [{ ...lever, min: "2" }] }, { levers: [{ max: "Enter at least the smallest value" }] }],
    [{ levers: [{ ...lever, step: "1e-9" }] }, { levers: [{ step: "Use at most 10,000 steps" }] }],
  ] as const)
    expect(goalRequest({ ...fields, ...change, levers: [...(change.levers ?? fields.levers)] })).toEqual({
      request: null,
      errors,
    });
});

test("proposes bounds that are a valid lever for each operation", () => {
  for (const operation of ["multiply", "add", "set"] as const)
    for (const feature of [price, { ...price, min: 3, max: 3 }, undefined]) {
      const lever = { feature: "price", operation, ...boundsOf(operation, feature) };
      expect(goalRequest({ ...fields, levers: [lever] }).errors).toBeNull();
    }
});

test("states whether the result is proven, and inputs outside the training data", () => {
  const result: GoalSeekResult = {
    status: "closest",
    isProven: true,
    gap: 0,
    evaluatedSettings: 41,
    settings: 41,
    rowCount: 7,
    adjustments: [],
    goal: 118,
    constraints: [],
    outside: [{ feature: "price", rows: 3 }],
  };
  const names = { target: displays("demand_mwh"), displays };
  const goal = { statistic: "sum", of: "prediction", relation: "equal", value: 120 } as const;
  expect(resultText(result, goal, names)).toEqual({
    title: "No setting reaches the goal. The closest gives 118 MWh.",
    details: ["Proven: all 41 settings were evaluated.", "Price is outside the known range in 3 rows."],
  });
  const found = { ...result, isProven: false, gap: 0.0041, settings: 1e9, outside: [] };
  expect(resultText({ ...found, status: "infeasible" }, goal, names).title).toBe(
    "No setting found that meets the limit.",
  );
  expect(resultText({ ...found, status: "reached" }, goal, names).details[0]).toBe(
    "Best found among 41 of 1,000,000,000 settings. No setting is closer by more than 0.4 %.",
  );
  const reached = { ...found, status: "reached" } as const;
  expect(resultText(reached, goal, names).title).toBe("The goal is reached within 1 %: 118 MWh.");
  for (const met of [{ ...goal, value: 118 }, { ...goal, relation: "atMost" } as const])
    expect(resultText(reached, met, names).title).toBe("The goal is reached: 118 MWh.");
});
