import { expect } from "vitest";
import type { Caller } from "../api.ts";
import type { CallParts } from "../route-cases.ts";
import type { ErrorWorld } from "./error-case.ts";

/** Calls a route that rejects the request. Returns the code, and each detail's field, column, row, id and code. */
export async function rejectedPlaces(world: ErrorWorld, name: string, parts: CallParts, as?: Caller) {
  const { error } = await world.call(name, parts, as);
  expect(error?.message).toMatch(/.[.?]$/);
  const places = error?.details?.map((detail) => {
    const { message: _message, expected: _expected, nearest: _nearest, value: _value, ...place } = detail;
    return Object.fromEntries(Object.entries(place).filter(([, value]) => value !== null));
  });
  return { code: error?.code, places };
}
