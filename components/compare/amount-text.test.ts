import { expect, it } from "vitest";
import { Shown } from "#components/display/shown.ts";
import { amountText } from "./amount-text.ts";

it("describes one difference, or a range with its mean", () => {
  expect(amountText({ min: 5, max: 5, mean: 5 }, new Shown("Temp"))).toBe("+5");
  expect(amountText({ min: 4.999999999999, max: 5.000000000001, mean: 5 }, new Shown("Temp"))).toBe("+5");
  const celsius = new Shown("Temp", "°C", 1);
  expect(amountText({ min: -1, max: 4, mean: 2.5 }, celsius)).toBe("−1.0 to +4.0, mean +2.5 °C");
});
