import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { newId } from "#lib/platform/ids/new-id";
import { LocalStore } from "#lib/platform/storage/local-store";
import { createTestDatabase } from "#testing/postgres";
import { createDataFolder } from "#testing/run-folder";
import { nodeOptions } from "../server/node-options.ts";

const { url } = await createTestDatabase();

const check = (folder: string) =>
  promisify(execFile)(process.execPath, [...nodeOptions, "scripts/storage-check.ts", "--delete"], {
    env: { ...process.env, DATABASE_URL: url, STORAGE_URL: `file:${folder}` },
  });

test("states that orphans are deleted only if they are", async () => {
  const folder = createDataFolder("storage-check-");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = new LocalStore(folder);
  const writeOrphan = async () => {
    const key = `projects/${newId()}/uploads/${newId()}`;
    await store.writeFolder(key, new Map([["content", Buffer.from("1")]]));
    return key;
  };
  const kept = await writeOrphan();
  // A deletion first moves the folder there.
  const temporary = path.join(folder, ".tmp");
  rmSync(temporary, { recursive: true });
  writeFileSync(temporary, "not a folder");
  await expect(check(folder)).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining("1 of 1 orphans could not be deleted."),
  });
  expect(await store.exists(kept)).toBe(true);
  rmSync(temporary);
  const deleted = await writeOrphan();
  expect((await check(folder)).stdout).toContain("The orphans are deleted.");
  expect(await store.exists(deleted)).toBe(false);
});
