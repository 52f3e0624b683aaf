import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { createTestDatabase } from "#testing/postgres";
import { nodeOptions } from "../node-options.ts";

const { url } = await createTestDatabase();

/** Options of `unshare` to run a command as root of a separate namespace, where it may mount a file system. */
const unshare = ["--user", "--map-root-user", "--mount"];
const mayMount = spawnSync("unshare", [...unshare, "true"]).status === 0;

test.runIf(mayMount)(
  "jobs that write fail at once on a full disk, leave no files, and succeed after space is freed",
  // Another process runs jobs of several types on the full disk, and again with free space.
  { timeout: 120_000 },
  () => {
    const disk = mkdtempSync(path.join(os.tmpdir(), "full-disk-"));
    const mount = `mount -t tmpfs -o size=8m tmpfs "$1" && shift && exec "$@"`;
    const node = [process.execPath, ...nodeOptions, "testing/jobs-on-a-full-disk.ts"];
    const command = ["sh", "-c", mount, "sh", disk, ...node];
    const env = { ...process.env, DATABASE_URL: url, DATA_DIR: disk, STORAGE_URL: `file:${disk}/artifacts` };
    const { stdout, stderr } = spawnSync("unshare", [...unshare, ...command], { encoding: "utf8", env });
    expect(stderr).toBe("");
    const { full, before, after, withRoom } = JSON.parse(stdout);
    const failed = {
      status: "Failed",
      attempt: 1,
      errorCode: "service_unavailable",
      errorMessage: expect.stringMatching(/^Storage is full/),
    };
    const types = ["TrainModel", "ImportModel", "CreateCheckpoint", "CreateScenario"];
    expect(full).toEqual({
      readiness: { database: "ok", disk: "full", process: "ok" },
      upload: { code: "service_unavailable" },
      ...Object.fromEntries(types.map((type) => [type, failed])),
    });
    expect(after).toEqual(before);
    expect(withRoom).toEqual({
      readiness: { database: "ok", disk: "ok", process: "ok" },
      ...Object.fromEntries(types.map((type) => [type, "Completed"])),
    });
  },
);
