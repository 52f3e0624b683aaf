import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, describe, expect, inject, test } from "vitest";
import { createTestDatabase } from "#testing/postgres";
import { nodeOptions } from "../server/node-options.ts";

const { sql } = await createTestDatabase();
const empty = `empty_${process.pid}`;
await sql.unsafe(`create database ${empty}`);
afterAll(() => sql.unsafe(`drop database ${empty} with (force)`));

const addressOf = (change: Partial<URL>) => Object.assign(new URL(inject("postgresUrl")), change).href;

describe.each([
  ["backup", ["--to", "/nonexistent/backup"]],
  ["restore", ["--from", "/nonexistent/backup"]],
  ["storage-check", []],
  ["key-create", ["--name", "x"]],
])("%s", (script, args) => {
  test.each([
    [
      "an unreachable database",
      { port: "9" },
      /^The database cannot be used: .*ECONNREFUSED.*correct DATABASE_URL/,
    ],
    [
      "a wrong password",
      { password: "wrong" },
      /^The database cannot be used: password .*correct DATABASE_URL/,
    ],
    [
      "an empty database",
      { pathname: `/${empty}` },
      /^The database does not have the schema .* npm run -s migrate/,
    ],
  ])("ends with a sentence for %s", async (_, change, sentence) => {
    const run = promisify(execFile)(process.execPath, [...nodeOptions, `scripts/${script}.ts`, ...args], {
      env: { ...process.env, DATABASE_URL: addressOf(change) },
    });
    await expect(run).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(new RegExp(`${sentence.source}.*\n$`)),
    });
  });
});
