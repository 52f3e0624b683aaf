import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LocalStore } from "./local-store.ts";
import { ArtifactDamagedError, ArtifactNotFoundError, ArtifactTooLargeError } from "./storage-errors.ts";

let folder: string;
let root: string;
let store: LocalStore;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "local-store-"));
  root = path.join(folder, "artifacts");
  store = new LocalStore(root);
});
afterEach(() => rmSync(folder, { recursive: true }));

const bytes = (text: string) => Buffer.from(text);
const files = (entries: Record<string, string>) =>
  new Map(Object.entries(entries).map(([name, text]) => [name, bytes(text)]));
const sha256 = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");

test("every file comes back byte for byte, and the manifest holds its size and SHA-256", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (content) => {
      const manifest = await store.writeFolder("projects/a", new Map([["model.onnx", content]]));
      expect(await store.readFile("projects/a", "model.onnx")).toEqual(Buffer.from(content));
      expect(await buffer(await store.openRead("projects/a", "model.onnx"))).toEqual(Buffer.from(content));
      expect(manifest.files).toEqual({ "model.onnx": { bytes: content.length, sha256: sha256(content) } });
      expect(await store.readManifest("projects/a")).toEqual(manifest);
    }),
    { numRuns: 25 },
  );
});

test.each([
  "",
  "/",
  "../x",
  "a/../b",
  "a//b",
  "/etc",
  "a/",
  "A",
  "a.b",
  ".tmp",
  "a\0",
  "a\\b",
  `${"x".repeat(101)}`,
])("the key %j never reaches the disk", async (key) => {
  await expect(store.writeFolder(key, files({ x: "1" }))).rejects.toThrow(TypeError);
  await expect(store.readFile(key, "x")).rejects.toThrow(TypeError);
  await expect(store.deleteFolder(key)).rejects.toThrow(TypeError);
  await expect(store.exists(key)).rejects.toThrow(TypeError);
  await expect(store.listFolders(key)).rejects.toThrow(TypeError);
});

test.each(["", ".", "..", "../x", "a/b", ".hidden", "MANIFEST.json", "a\0"])(
  "the file name %j is refused",
  async (name) => {
    await expect(store.writeFolder("a", files({ [name]: "1" }))).rejects.toThrow(TypeError);
    await expect(store.openRead("a", name)).rejects.toThrow(TypeError);
    expect(await store.exists("a")).toBe(false);
  },
);

test("any text as a key stays inside the store or is refused", async () => {
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

test("what is not there is told apart from what went wrong", async () => {
  await expect(store.readFile("a/b", "x")).rejects.toThrow(ArtifactNotFoundError);
  await expect(store.openRead("a/b", "x")).rejects.toThrow(ArtifactNotFoundError);
  await expect(store.readManifest("a/b")).rejects.toThrow(ArtifactNotFoundError);
  await expect(store.copyFolder("a/b", "c")).rejects.toThrow(ArtifactNotFoundError);
  await store.writeFolder("a/b", files({ y: "1" }));
  await expect(store.readFile("a/b", "x")).rejects.toThrow(ArtifactNotFoundError);
  expect(await store.exists("c")).toBe(false);
});

test("writing the same key again replaces the folder whole", async () => {
  await store.writeFolder("a", files({ x: "1", y: "2" }));
  await store.writeFolder("a", files({ x: "3" }));
  expect((await store.readFile("a", "x")).toString()).toBe("3");
  await expect(store.readFile("a", "y")).rejects.toThrow(ArtifactNotFoundError);
});

test("writers of one key at once leave one writer's folder, whole", async () => {
  await Promise.all(
    Array.from({ length: 8 }, (_, i) => store.writeFolder("a", files({ x: `${i}`, [`only-${i}`]: `${i}` }))),
  );
  const winner = (await store.readFile("a", "x")).toString();
  expect(Object.keys((await store.readManifest("a")).files)).toEqual(["x", `only-${winner}`]);
  expect(readdirSync(path.join(root, ".tmp"))).toEqual([]);
});

test("a folder that is written while one above it is removed is there whole, or is gone with it", async () => {
  const writing = Array.from({ length: 8 }, async (_, writer) => {
    for (let round = 0; round < 40; round++) {
      await store.writeFolder(`projects/a/data/${writer}`, files({ x: "1", y: "2" }));
    }
  });
  let written = false;
  const removing = (async () => {
    while (!written) await store.deleteFolder("projects/a");
  })();
  await Promise.all(writing).finally(() => {
    written = true;
  });
  await removing;
  for (const key of await store.listFolders("projects/a")) {
    expect(Object.keys((await store.readManifest(key)).files)).toEqual(["x", "y"]);
  }
});

test("a copy is independent of its original", async () => {
  const manifest = await store.writeFolder("a/model", files({ x: "1", y: "2" }));
  expect(await store.copyFolder("a/model", "a/checkpoint")).toEqual(manifest);
  await store.deleteFolder("a/model");
  expect((await store.readFile("a/checkpoint", "y")).toString()).toBe("2");
});

test("a damaged file is found when it is copied, and no copy is published", async () => {
  await store.writeFolder("a", files({ x: "right" }));
  writeFileSync(path.join(root, "a", "x"), "wrong");
  await expect(store.copyFolder("a", "b")).rejects.toThrow(ArtifactDamagedError);
  expect(await store.exists("b")).toBe(false);
});

test("deleting removes a folder with all below it, and deleting nothing is no error", async () => {
  await store.writeFolder("projects/a/models/1", files({ x: "1" }));
  await store.writeFolder("projects/a/checkpoints/2", files({ x: "1" }));
  await store.writeFolder("projects/b/models/1", files({ x: "1" }));
  await store.deleteFolder("projects/a");
  await store.deleteFolder("projects/a");
  expect(await store.listFolders("projects")).toEqual(["projects/b/models/1"]);
  expect(await store.listFolders("nothing/there")).toEqual([]);
});

test("a stream is stored whole and measured", async () => {
  const chunks = Array.from({ length: 300 }, (_, i) => Buffer.alloc(1000, i % 256));
  const whole = Buffer.concat(chunks);
  const measured = await store.writeStream("uploads/1", Readable.from(chunks), { limitBytes: 300_000 });
  expect(measured).toEqual({ bytes: 300_000, sha256: sha256(whole) });
  expect(await buffer(await store.openRead("uploads/1", "content"))).toEqual(whole);
});

test("a stream over the limit, or one that breaks off, publishes nothing and leaves nothing", async () => {
  const over = Readable.from([bytes("12345"), bytes("67890"), bytes("1")]);
  await expect(store.writeStream("uploads/1", over, { limitBytes: 10 })).rejects.toThrow(
    ArtifactTooLargeError,
  );
  async function* broken() {
    yield bytes("1");
    throw new Error("connection lost");
  }
  await expect(store.writeStream("uploads/1", broken(), { limitBytes: 10 })).rejects.toThrow(
    "connection lost",
  );
  expect(await store.exists("uploads/1")).toBe(false);
  expect(readdirSync(path.join(root, ".tmp"))).toEqual([]);
});

test("artifacts are readable by their owner alone", async () => {
  await store.writeFolder("a", files({ x: "1" }));
  expect(statSync(root).mode & 0o077).toBe(0);
  expect(statSync(path.join(root, "a", "x")).mode & 0o077).toBe(0);
});

test("a writer killed half-way publishes nothing, and its leftovers go once they are old", async () => {
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
  expect(await store.removeLeftovers({ olderThanMs: 3_600_000 })).toBe(0);

  const [left] = readdirSync(path.join(root, ".tmp"));
  const twoHoursAgo = new Date(Date.now() - 7_200_000);
  for (const name of ["content", ""])
    utimesSync(path.join(root, ".tmp", left!, name), twoHoursAgo, twoHoursAgo);
  mkdirSync(path.join(root, ".tmp", "fresh"));
  expect(await store.removeLeftovers({ olderThanMs: 3_600_000 })).toBe(1);
  expect(readdirSync(path.join(root, ".tmp"))).toEqual(["fresh"]);
});
