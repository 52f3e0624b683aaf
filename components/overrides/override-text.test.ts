import { expect, it } from "vitest";
import { Shown } from "#components/display/shown.ts";
import { changeText, spanText, whereText } from "./override-text.ts";

const target = new Shown("Demand", "MWh");
const calendar = { frequency: "P1D", timezone: "Europe/Berlin" };

it("names the span by days of the dataset's zone", () => {
  const span = { from: "2026-02-13T23:00:00.000Z", to: "2026-02-15T22:59:59.000Z" };
  expect(spanText(span, calendar)).toBe("14 Feb 2026 – 15 Feb 2026");
  expect(spanText({ ...span, to: "2026-02-14T22:59:59.000Z" }, calendar)).toBe("14 Feb 2026");
});

it("describes the change with the unit of the target, and factors as per cent", () => {
  expect(changeText({ operation: "set", value: 260 }, target)).toBe("Set to 260 MWh");
  expect(changeText({ operation: "add", value: -30 }, target)).toBe("−30 MWh");
  expect(changeText({ operation: "multiply", value: 1.1 }, target)).toBe("+10 %");
});

it("names the series", () => {
  expect(whereText({ where: null })).toBeNull();
  expect(whereText({ where: [{ feature: "store", operator: "=", value: "A" }] })).toBe("store = A");
});
