import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { callRoute, createProject, createUser, withKey } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { GET as me } from "../app/api/v1/me/route.ts";
import { nodeOptions } from "../server/node-options.ts";

const { url } = await createTestDatabase();

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [...nodeOptions, "scripts/key-create.ts", ...args], {
    env: { ...process.env, DATABASE_URL: url },
  });

test("prints a key that works, and nothing else", async () => {
  const admin = await createUser();
  const { id } = await createProject();
  const { stdout } = await run("--project", id.toUpperCase(), "--name", "command");
  expect(stdout).toMatch(/^mps_[0-9A-Za-z]{36}\n$/);
  const { data } = await callRoute(me, { as: withKey(stdout.trim()) });
  expect(data).toMatchObject({ kind: "api-key", projectId: id, userId: admin.id });
});

test.each([
  [["--project", "nonsense", "--name", "x"], "--project takes the id of a project."],
  [["--project", "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f", "--name", "x"], "There is no project"],
  [["--project", "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f"], "--name takes 1 to 100 characters on one line."],
  [["--name", "a\u001Bb"], "Use one line without control characters."],
  [["--nonsense"], "Usage:"],
])("%j ends with a sentence and nothing on standard output", async (args, sentence) => {
  await expect(run(...args)).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(sentence),
  });
});

test.each([[[]], [["--name", "x"]]])("lists the projects if none is given: %j", async (args) => {
  const { id, name } = await createProject();
  await expect(run(...args)).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(`${id}  ${name}`),
  });
});
