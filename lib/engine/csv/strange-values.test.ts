import { expect, test } from "vitest";
import { strangeValues } from "./strange-values.ts";

const codesOf = (values: readonly number[]) => {
  const column = { name: "y", type: "number" as const, values: Float64Array.from(values) };
  return strangeValues({ rowCount: values.length, columns: [column] }, {})
    .filter(({ code }) => code === "missing_code")
    .flatMap(({ choices }) => choices?.map(({ options }) => options.missing) ?? []);
};
const repeated = (value: number, count: number) => Array.from({ length: count }, () => value);

test("names a negative code for missing values also if most rows hold it", () => {
  const measured = [120, 96, 101, 88, 131];
  expect(codesOf([...measured, ...repeated(-200, 45)])).toEqual([["-200"]]);
  expect(codesOf([...measured, ...repeated(-200, 2)])).toEqual([["-200"]]);
});

test("names no value that most rows hold beside a few outliers", () => {
  expect(codesOf([...repeated(5, 45), 100, 101])).toEqual([]);
  expect(codesOf(repeated(-200, 10))).toEqual([]);
});
