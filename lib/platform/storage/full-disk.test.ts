import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "full-disk-"));
  mkdirSync(path.join(folder, "disk"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Options that run a command as root of a new namespace, where it may mount. */
const unshare = ["--user", "--map-root-user", "--mount"];
const mayMount = spawnSync("unshare", [...unshare, "true"]).status === 0;

const noRoom = "service_unavailable: The storage is full. Retry after the delay in the header Retry-After.";

/** Runs a module with a disk of two megabytes at `disk`; what it prints. */
function onSmallDisk(source: string): unknown {
  const script = path.join(folder, "script.mts");
  const disk = path.join(folder, "disk");
  const from = (module: string) => JSON.stringify(path.join(import.meta.dirname, module));
  writeFileSync(
    script,
    `import { readdirSync } from "node:fs";
     import { toDomainError } from ${from("../../api/response/error-answer.ts")};
     import { LocalStore } from ${from("local-store.ts")};
     import { ScratchFile } from ${from("scratch-file.ts")};
     const disk = ${JSON.stringify(disk)};
     async function* bytes(count) { for (; count > 0; count--) yield Buffer.alloc(1_000_000, count); }
     const summary = ({ code, message }) => code + ": " + message;
     const outcome = (promise) => promise.then(() => "stored", (error) => summary(toDomainError(error)));
     ${source}`,
  );
  const mount = `mount -t tmpfs -o size=2m tmpfs "$1" && shift && exec "$@"`;
  const command = ["sh", "-c", mount, "sh", disk, process.execPath, script];
  const env = { ...process.env, DATA_DIR: disk };
  const { stdout, stderr } = spawnSync("unshare", [...unshare, ...command], { encoding: "utf8", env });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

test.runIf(mayMount)("a full disk is reported, leaves no files, and accepts smaller files afterwards", () => {
  const printed = onSmallDisk(`
    const store = new LocalStore(disk + "/artifacts");
    const full = await outcome(store.writeStream("uploads/a", bytes(5), { limitBytes: Infinity }));
    const left = [readdirSync(disk + "/artifacts/.tmp"), await store.listFolders("uploads")];
    const next = await outcome(store.writeStream("uploads/b", bytes(1), { limitBytes: Infinity }));
    console.log(JSON.stringify({ full, left, next }));`);
  expect(printed).toEqual({ full: noRoom, left: [[], []], next: "stored" });
});

test.runIf(mayMount)("reports a full disk for a file in a request, and frees its space at once", () => {
  const printed = onSmallDisk(`
    const write = async (count) => {
      await using file = new ScratchFile(1_000);
      for await (const chunk of bytes(count)) await file.write(chunk);
    };
    console.log(JSON.stringify([await outcome(write(5)), await outcome(write(1))]));`);
  expect(printed).toEqual([noRoom, "stored"]);
});
