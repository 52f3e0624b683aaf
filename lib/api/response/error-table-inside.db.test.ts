import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { environment } from "#lib/platform/config/environment";
import { callRoute, createKey, createProject } from "#testing/api";
import { expectError } from "#testing/error-cases/expect-error";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { POST as predict } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { PATCH } from "../../../app/api/v1/projects/[projectId]/route.ts";
import { POST as upload } from "../../../app/api/v1/projects/[projectId]/uploads/route.ts";

// `internal_error` never contains a stack trace, SQL or a path.

const { db } = await createTestDatabase();
const message =
  "An internal error occurred. Retry the request. If the error persists, report the request ID.";

const { id: projectId } = await createProject();
const as = await createKey({ projectId });

function localFolder(): string {
  const { storage } = environment();
  if (storage.kind !== "file") throw new Error("These tests damage files on this disk.");
  return storage.folder;
}

test("an unexpected database constraint", async () => {
  await db.execute("alter table projects add constraint secret_rule check (name <> 'Secret name')");
  const answer = await callRoute(PATCH, {
    method: "PATCH",
    as,
    params: { projectId },
    body: { name: "Secret name" },
  });
  expectError(answer, "internal_error", message);
});

test("a missing table", async () => {
  await db.execute("alter table projects rename to secret_projects");
  const answer = await callRoute(PATCH, { method: "PATCH", as, params: { projectId }, body: { name: "x" } });
  await db.execute("alter table secret_projects rename to projects");
  expectError(answer, "internal_error", message);
});

/** A project whose model is damaged before its first use. */
async function predictWithDamaged(damage: (folder: string) => Promise<void>) {
  const project = await createProject();
  const { artifactKey } = await createModel({ projectId: project.id });
  await damage(path.join(localFolder(), artifactKey));
  return callRoute(predict, {
    as: await createKey({ projectId: project.id }),
    params: { projectId: project.id },
    body: { input: { temp: [1], wind: [2] } },
  });
}

test.each<[string, (folder: string) => Promise<void>]>([
  ["are gone", (folder) => rm(folder, { recursive: true })],
  [
    "are folders",
    async (folder) => {
      await rm(path.join(folder, "learner.json"), { force: true });
      await mkdir(path.join(folder, "learner.json"));
    },
  ],
  ["are damaged", (folder) => writeFile(path.join(folder, "learner.json"), "nonsense")],
])("storage files that %s", async (_name, damage) => {
  expectError(await predictWithDamaged(damage), "internal_error", message);
});

test("storage that is not writable", async () => {
  const folder = path.join(localFolder(), "projects", projectId);
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, "a file in place of a folder");
  const answer = await callRoute(upload, {
    as,
    params: { projectId },
    body: "a,b\n1,2\n",
    headers: { "content-type": "text/csv" },
  });
  await rm(folder);
  expectError(answer, "internal_error", message);
});

test("other thrown values, and a response that violates its own schema", async () => {
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
  const failures: (() => Promise<unknown>)[] = [
    () => Promise.reject(new Error("select secret from /etc/passwd")),
    () => Promise.reject("a thrown string"),
    () => Promise.reject(undefined),
    () => db.execute("select nonsense"),
    async () => ({ fine: false }),
  ];
  for (const run of failures) {
    expectError(await callRoute(routeThat(run), { as, params: { projectId } }), "internal_error", message);
  }
  expect.assertions(failures.length * 3);
});
