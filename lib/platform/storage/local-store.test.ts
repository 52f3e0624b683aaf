import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LocalStore } from "./local-store.ts";

let folder: string;
let root: string;
let store: LocalStore;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "local-store-"));
  root = path.join(folder, "artifacts");
  store = new LocalStore(root);
});
afterEach(() => rmSync(folder, { recursive: true }));

const files = (entries: Record<string, string>) =>
  new Map(Object.entries(entries).map(([name, text]) => [name, Buffer.from(text)]));

test("keeps every key inside the store, or rejects it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom("a", "/", ".", "\\", "~", "\0", "-") }),
      async (key) => {
        await store
          .writeFolder(key, files({ x: "1" }))
          .catch((error) => expect(error).toBeInstanceOf(TypeError));
        expect(readdirSync(folder)).toEqual(readdirSync(folder).filter((name) => name === "artifacts"));
      },
    ),
    { numRuns: 50 },
  );
});

test("concurrent writers of one key leave no partial folder", async () => {
  await Promise.all(
    Array.from({ length: 8 }, (_, i) => store.writeFolder("a", files({ x: `${i}`, [`only-${i}`]: `${i}` }))),
  );
  expect(readdirSync(path.join(root, ".tmp"))).toEqual([]);
});

test("only their owner can read artifacts", async () => {
  await store.writeFolder("a", files({ x: "1" }));
  expect(statSync(root).mode & 0o077).toBe(0);
  expect(statSync(path.join(root, "a", "x")).mode & 0o077).toBe(0);
});

test("a killed writer publishes nothing, and its leftovers are deleted once they are old", async () => {
  const script = path.join(folder, "writer.mts");
  writeFileSync(
    script,
    `import { LocalStore } from ${JSON.stringify(path.join(import.meta.dirname, "local-store.ts"))};
     async function* endless() { for (;;) { yield Buffer.alloc(1000); process.send("wrote"); await new Promise((resolve) => setImmediate(resolve)); } }
     await new LocalStore(${JSON.stringify(root)}).writeStream("uploads/1", endless(), { limitBytes: Infinity });`,
  );
  const writer = fork(script, { stdio: "ignore" });
  await once(writer, "message");
  writer.kill("SIGKILL");
  await once(writer, "exit");
  expect(await store.exists("uploads/1")).toBe(false);
  expect(await store.listFolders("uploads")).toEqual([]);
  expect(await store.removeLeftovers(new Date(Date.now() - 3_600_000))).toBe(0);

  const [left] = readdirSync(path.join(root, ".tmp"));
  const twoHoursAgo = new Date(Date.now() - 7_200_000);
  for (const name of ["content", ""])
    utimesSync(path.join(root, ".tmp", left!, name), twoHoursAgo, twoHoursAgo);
  mkdirSync(path.join(root, ".tmp", "fresh"));
  expect(await store.removeLeftovers(new Date(Date.now() - 3_600_000))).toBe(1);
  expect(readdirSync(path.join(root, ".tmp"))).toEqual(["fresh"]);
});
