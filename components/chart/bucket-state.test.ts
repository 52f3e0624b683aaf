import { expect, test } from "vitest";
import { bucketLink, bucketParams, shownChoice } from "./bucket-state.ts";

test("a choice becomes the API's parameters, and none for rows", () => {
  expect(bucketParams({ bucket: "auto", aggregate: null })).toEqual({ bucket: "auto" });
  expect(bucketParams({ bucket: "day", aggregate: "sum" })).toEqual({ bucket: "day", aggregate: "sum" });
  expect(bucketParams({ bucket: "rows", aggregate: "sum" })).toEqual({});
});

test("tables and downloads take the unit that the chart shows", () => {
  const auto = { bucket: "auto", aggregate: null } as const;
  const buckets = { unit: "week", aggregate: "mean", timezone: "UTC", from: null, to: null } as const;
  expect(shownChoice({ ...buckets, complete: [] }, auto)).toEqual({ bucket: "week", aggregate: "mean" });
  expect(shownChoice(undefined, auto)).toEqual({ bucket: "rows", aggregate: null });
});

test("links to other pages keep the choice, and omit the default", () => {
  expect(bucketLink({ bucket: "auto", aggregate: null }, "?")).toBe("");
  expect(bucketLink({ bucket: "month", aggregate: "last" }, "&")).toBe("&bucket=month&aggregate=last");
  expect(bucketLink({ bucket: "auto", aggregate: "sum" }, "?")).toBe("?aggregate=sum");
});
