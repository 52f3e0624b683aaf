import { expect } from "vitest";
import { type ErrorCode, errorCodes } from "#lib/contract/error-codes";
import type { RouteAnswer } from "../api.ts";

/** Checks the exact body, the request id against the header, and the status against the table of codes. */
export function expectError(answer: RouteAnswer, code: ErrorCode, message: unknown, details?: unknown): void {
  expect(answer.body).toEqual({
    success: false,
    error: {
      code,
      message,
      ...(details === undefined ? {} : { details }),
      requestId: answer.headers.get("x-request-id"),
    },
  });
  expect(answer.status).toBe(errorCodes[code][0]);
  expect(answer.headers.get("content-type")).toBe("application/json");
}
