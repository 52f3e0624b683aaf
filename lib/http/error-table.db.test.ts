import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createDatabase, databaseConnection, provideDatabase } from "#db/client";
import { type ErrorCode, errorCodes } from "#lib/contract/error-codes";
import { DomainError } from "#lib/errors/domain-error";
import {
  type Caller,
  callRoute,
  createKey,
  createProject,
  createUser,
  type RouteAnswer,
  type TestUser,
} from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { PUT as putDependencies } from "../../app/api/v1/projects/[projectId]/dependencies/route.ts";
import {
  DELETE as deleteProject,
  PATCH as patchProject,
} from "../../app/api/v1/projects/[projectId]/route.ts";
import { POST as createProjectRoute } from "../../app/api/v1/projects/route.ts";
import { defineRoute } from "./define-route.ts";
import { ProjectPath } from "./path-params.ts";

const { db } = await createTestDatabase();

let admin: TestUser;
let key: Caller;
let projectId: string;
beforeAll(async () => {
  admin = await createUser();
  projectId = (await createProject({ name: "Weather" })).id;
  key = await createKey({ projectId });
});

/** The exact body, but for the request id, which is the header's. */
function expectError(answer: RouteAnswer, code: ErrorCode, message: unknown, details?: unknown) {
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

const patch = (body: unknown, headers: Record<string, string> = {}) =>
  callRoute(patchProject, { method: "PATCH", as: key, params: { projectId }, body, headers });

describe("bodies", () => {
  test.each([
    ["", "The body is empty: send a JSON object."],
    ["{", expect.stringMatching(/^The body is not valid JSON: /)],
    ['{"name": "a",}', "The body is not valid JSON: look at position 13."],
    [new Uint8Array([0x22, 0xff, 0x22]), "The body is not valid UTF-8."],
    ['{"__proto__": {"x": 1}}', "The body holds a key __proto__, which is not accepted."],
    ['{"name": {"\\u005f_proto__": 1}}', "The body holds a key __proto__, which is not accepted."],
  ])("malformed_json: %j", async (body, message) => {
    expectError(await patch(body), "malformed_json", message);
  });

  test("a value that merely holds the word __proto__ is a value", async () => {
    expect((await patch({ description: "a __proto__ in words" })).status).toBe(200);
  });

  test.each<[unknown, object[]]>([
    [{}, [{ code: "custom", message: "Send at least one field to change" }]],
    [
      { name: "x", nmae: "x" },
      [{ field: "nmae", code: "unknown_field", message: "nmae is no field of this request" }],
    ],
    [
      { name: "" },
      [{ field: "name", code: "too_small", message: expect.stringMatching(/^name: Too small/) }],
    ],
    [[], [{ code: "invalid_type", message: expect.stringContaining("expected object") }]],
    [null, [{ code: "invalid_type", message: expect.stringContaining("expected object") }]],
  ])("validation_failed: %j", async (body, details) => {
    expectError(
      await patch(body),
      "validation_failed",
      expect.stringMatching(/^The body is not valid: /),
      details,
    );
  });

  test("every fault is named, at most a hundred of them, then how many more", async () => {
    const wrong = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`wrong${index}`, 1]));
    const answer = await patch({ name: "x", ...wrong });
    expect(answer.error?.details).toHaveLength(101);
    expect(answer.error?.details?.at(-1)).toEqual({ code: "more", message: "30 more faults are not listed" });
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", ""])(
    "unsupported_media_type: %j",
    async (type) => {
      const answer = await patch({ name: "x" }, { "content-type": type });
      expectError(answer, "unsupported_media_type", expect.stringContaining("application/json"));
    },
  );

  test.each(["application/json; charset=utf-8", "Application/JSON", 'application/json; charset="UTF-8"'])(
    "taken: %j",
    async (type) => {
      expect((await patch({ description: "x" }, { "content-type": type })).status).toBe(200);
    },
  );

  test("payload_too_large by what is declared", async () => {
    expectError(
      await patch("{}", { "content-length": "1000001" }),
      "payload_too_large",
      "The body is larger than the 1,000,000 bytes that are allowed here.",
    );
  });

  test("payload_too_large by what comes, read no further than needed", async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const request = new Request(`http://service.test/api/v1/projects/${projectId}`, {
      method: "PATCH",
      headers: { ...key.headers, "content-type": "application/json" },
      body: endless,
      duplex: "half",
    } as RequestInit);
    const response = await patchProject(request, { params: Promise.resolve({ projectId }) });
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(1_500_000);
  });

  test("a body of exactly the limit is read", async () => {
    const text = '{"description":"x"}';
    expect((await patch(text.padEnd(1_000_000))).status).toBe(200);
    expect((await patch(text.padEnd(1_000_001))).status).toBe(413);
  });
});

describe("refusals of projects", () => {
  const put = (dependencies: unknown[], as: Caller = admin, project = projectId) =>
    callRoute(putDependencies, { method: "PUT", as, params: { projectId: project }, body: { dependencies } });

  test("dependency_cycle names every step of the way round", async () => {
    const upstream = await createProject({ name: "Upstream" });
    expect((await put([{ projectId: upstream.id, featureName: "u" }])).status).toBe(200);
    expectError(
      await put([{ projectId, featureName: "w" }], admin, upstream.id),
      "dependency_cycle",
      "The dependencies would form a cycle: Upstream → Weather → Upstream.",
      [
        {
          field: "dependencies",
          id: upstream.id,
          code: "dependency_cycle",
          message: "Upstream would use the predictions of Weather.",
        },
        {
          field: "dependencies",
          id: projectId,
          code: "dependency_cycle",
          message: "Weather would use the predictions of Upstream.",
        },
      ],
    );
    expectError(
      await put([{ projectId: upstream.id, featureName: "self" }], admin, upstream.id),
      "dependency_cycle",
      "The dependencies would form a cycle: Upstream → Upstream.",
      expect.anything(),
    );
  });

  test("project_not_found for an upstream that is not there, or that a key was not given", async () => {
    const other = await createProject();
    for (const [id, as] of [
      [randomUUID(), admin],
      [randomUUID(), key],
      [other.id, key],
    ] as const) {
      const message = `There is no project ${id}.`;
      expectError(await put([{ projectId: id, featureName: "x" }], as), "project_not_found", message, [
        { field: "dependencies.0.projectId", id, code: "project_not_found", message },
      ]);
    }
  });

  test("a project that others use is not deleted", async () => {
    const used = await createProject({ name: "Used" });
    const user = await createProject({ name: "User" });
    expect((await put([{ projectId: used.id, featureName: "f" }], admin, user.id)).status).toBe(200);
    const answer = await callRoute(deleteProject, {
      method: "DELETE",
      as: admin,
      params: { projectId: used.id },
    });
    expectError(
      answer,
      "validation_failed",
      '"Used" is used by "User": remove the dependency, and the scenarios that use its checkpoints, first.',
      [{ id: user.id, code: "project_in_use", message: `The project "User" (${user.id}) uses it.` }],
    );
  });

  test("forbidden to an analyst and to a key", async () => {
    const analyst = await createUser({ role: "analyst" });
    expectError(
      await callRoute(createProjectRoute, { as: analyst, body: { name: "x" } }),
      "forbidden",
      "Only an admin may do this. Ask one of the members whose role is admin.",
    );
    expectError(
      await callRoute(createProjectRoute, { as: key, body: { name: "x" } }),
      "forbidden",
      "An API key may not do this: sign in instead.",
    );
  });
});

describe("what goes wrong on our side", () => {
  const routeThat = (run: () => Promise<unknown>) =>
    defineRoute({
      operationId: "failing",
      tag: "Tests",
      summary: "Fails",
      auth: "project",
      params: ProjectPath,
      response: z.object({ fine: z.literal(true) }),
      run: run as () => Promise<{ fine: true }>,
    });
  const ask = (run: () => Promise<unknown>) => callRoute(routeThat(run), { as: key, params: { projectId } });
  const internal = "Something went wrong on our side. Try again; report the request id if it persists.";

  test("internal_error tells nothing of its inside", async () => {
    const answer = await ask(async () => {
      throw new Error("select secret from /etc/passwd");
    });
    expectError(answer, "internal_error", internal);
    expectError(await ask(async () => db.execute("select nonsense")), "internal_error", internal);
  });

  test("an answer that breaks its own schema is an error outside of production", async () => {
    expectError(await ask(async () => ({ fine: false })), "internal_error", internal);
  });

  test("service_unavailable with Retry-After while the database is away", async () => {
    const present = databaseConnection();
    const away = createDatabase("postgres://nobody@127.0.0.1:1/nothing");
    provideDatabase(away);
    try {
      for (const as of [key, admin]) {
        const answer = await callRoute(patchProject, {
          method: "PATCH",
          as,
          params: { projectId },
          body: {},
        });
        expectError(
          answer,
          "service_unavailable",
          "The service cannot reach a part that it needs. Wait as long as Retry-After says.",
        );
        expect(answer.headers.get("retry-after")).toBe("5");
      }
    } finally {
      provideDatabase(present);
      await away.close();
    }
  });

  test("every refusal of an operation has the status of the one table", async () => {
    for (const code of Object.keys(errorCodes) as ErrorCode[]) {
      const answer = await ask(async () => {
        throw new DomainError(code, "No.", { details: [{ field: "x", message: "Because." }] });
      });
      expectError(answer, code, "No.", [{ field: "x", message: "Because." }]);
    }
  });
});
