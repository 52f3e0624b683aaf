import { expect, test } from "vitest";
import { type ErrorCode, errorCodes } from "#lib/contract/error-codes";
import { callErrors } from "#testing/error-cases/calls";
import { dependencyErrors } from "#testing/error-cases/dependencies";
import { createErrorWorld, type ErrorCase } from "#testing/error-cases/error-case";
import { expectError } from "#testing/error-cases/expect-error";
import { ourErrors } from "#testing/error-cases/our-side";
import { thingErrors } from "#testing/error-cases/things";
import { workErrors } from "#testing/error-cases/work";
import { createTestDatabase } from "#testing/postgres";
import { setEnvironment } from "#testing/set-environment";

setEnvironment({ AUTH_FAILURES_PER_MINUTE: "20" });

const { sql } = await createTestDatabase();

/** A missing case fails the type check here and the test below. */
const cases: Record<ErrorCode, ErrorCase> = {
  ...callErrors,
  ...thingErrors,
  ...workErrors,
  ...dependencyErrors,
  ...ourErrors,
};

const world = await createErrorWorld(sql);

test("every code of the table has a case, and every case has a code", () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(errorCodes).sort());
});

test.each(Object.entries(cases) as [ErrorCode, ErrorCase][])("%s", async (code, provoke) => {
  const { answer, message, details } = await provoke(world);
  expectError(answer, code, message, details);
  expect(answer.headers.has("retry-after")).toBe(
    [429, 503].includes(answer.status) || code === "idempotency_in_progress",
  );
  expect(answer.headers.has("www-authenticate")).toBe(answer.status === 401);
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

/** Codes by status, as specified. */
const ofTheContract: [status: number, codes: string][] = [
  [
    400,
    "malformed_json validation_failed input_invalid no_trained_model checkpoint_limit_reached duplicate_label checkpoint_in_use dependency_has_no_model dependency_checkpoint_required dependency_unknown dependency_cycle job_not_cancellable job_not_retryable no_dataset quota_exceeded",
  ],
  [401, "api_key_missing api_key_invalid session_required"],
  [403, "forbidden"],
  [
    404,
    "project_not_found checkpoint_not_found scenario_not_found job_not_found api_key_not_found dataset_not_found model_not_found upload_not_found version_not_found series_not_found override_not_found run_not_found not_found",
  ],
  [405, "method_not_allowed"],
  [413, "payload_too_large"],
  [415, "unsupported_media_type"],
  [409, "idempotency_in_progress scenario_not_ready"],
  [422, "idempotency_mismatch"],
  [412, "precondition_failed"],
  [429, "rate_limited"],
  [500, "internal_error"],
  [503, "service_unavailable"],
];

test("the table has the specified codes with the specified statuses", () => {
  const listed = ofTheContract.flatMap(([status, codes]) =>
    codes.split(" ").map((code): [string, number] => [code, status]),
  );
  const table = Object.entries(errorCodes).map(([code, [status]]): [string, number] => [code, status]);
  expect(Object.fromEntries(table)).toMatchObject(Object.fromEntries(listed));
  // Codes beyond the specification.
  const others = table.map(([code]) => code).filter((code) => !listed.some(([known]) => known === code));
  expect(others).toEqual([
    "comparison_limit_reached",
    "webhook_limit_reached",
    "comparison_not_found",
    "webhook_not_found",
    "delivery_not_found",
    "member_not_found",
  ]);
});
