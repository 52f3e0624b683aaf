import { expect, test } from "vitest";
import { setEnvironment } from "#testing/set-environment";
import { writeUnusedLimits } from "./rate-limit-headers.ts";

const huge = String(Number.MAX_SAFE_INTEGER);
setEnvironment({ RATE_LIMIT_PER_MINUTE: huge, RATE_LIMIT_BURST: huge });

test("the headers cap huge limits at the 15 digits of a structured field", () => {
  const headers = new Headers();
  writeUnusedLimits(headers);
  expect(headers.get("ratelimit-policy")).toBe('"default";q=999999999999999;w=60;mps-burst=999999999999999');
  expect(headers.get("ratelimit")).toBe('"default";r=999999999999999;t=1');
});
