import { expect, test, vi } from "vitest";
import { writeFullLimits } from "./rate-limit.ts";

vi.hoisted(() => {
  process.env.RATE_LIMIT_PER_MINUTE = String(Number.MAX_SAFE_INTEGER);
  process.env.RATE_LIMIT_BURST = String(Number.MAX_SAFE_INTEGER);
});

test("the headers cap huge limits at the 15 digits of a structured field", () => {
  const headers = new Headers();
  writeFullLimits(headers);
  expect(headers.get("ratelimit-policy")).toBe('"default";q=999999999999999;w=60;mps-burst=999999999999999');
  expect(headers.get("ratelimit")).toBe('"default";r=999999999999999;t=1');
});
