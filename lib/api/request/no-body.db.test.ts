import { beforeAll, describe, expect, test } from "vitest";
import { callRoute, createUser, type TestUser } from "#testing/api";
import { expectError } from "#testing/error-cases/expect-error";
import { createPopulatedProject, type PopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type RouteCase, routeCases } from "#testing/route-cases";
import { validCalls } from "#testing/valid-calls";

await createTestDatabase();
const withoutBody = (await routeCases())
  .filter(
    ({ method, handler: { declaration } }) => method !== "GET" && !declaration.body && !declaration.rawBody,
  )
  .map((item): [string, RouteCase] => [item.name, item]);

let admin: TestUser;
let own: PopulatedProject;
beforeAll(async () => {
  admin = await createUser();
  own = await createPopulatedProject();
});

const call = async (item: RouteCase, body: unknown, headers: Record<string, string> = {}) =>
  callRoute(item.handler, {
    ...item.call({ ...(await validCalls[item.name]!(own)), body, headers }),
    as: admin,
  });

describe("a change without a body", () => {
  test.each(withoutBody)("%s: rejects a field, which it would ignore", async (_, item) => {
    const message = "reason is not a field of this request";
    expectError(await call(item, { reason: "typo" }), "validation_failed", expect.stringContaining(message), [
      { field: "reason", code: "unknown_field", message },
    ]);
  });

  test.each(withoutBody)("%s: accepts an empty body or object", async (_, item) => {
    for (const [body, type] of [
      ["", "application/json"],
      ["{ }\n", "application/json"],
      ["{}", "application/x-www-form-urlencoded"],
    ]) {
      const { status, text } = await call(item, body, { "content-type": type! });
      expect(status, text).toBe(item.handler.declaration.status ?? 200);
    }
  });
});
