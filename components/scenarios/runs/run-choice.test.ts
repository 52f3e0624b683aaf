import { expect, it } from "vitest";
import { runQuery } from "./run-choice.ts";

it("reads a run by ID, or the one that was the newest at the end of a local day", () => {
  expect(runQuery({ run: null, asOf: null }, "UTC")).toBeNull();
  expect(runQuery({ run: "a", asOf: "2026-03-01" }, "UTC")).toBe("run=a");
  expect(runQuery({ run: null, asOf: "2026-03-01" }, null)).toBe("asOf=2026-03-01T23%3A59%3A59Z");
  expect(runQuery({ run: null, asOf: "2026-03-01" }, "Europe/Berlin")).toBe("asOf=2026-03-01T22%3A59%3A59Z");
});
