import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { startS3Server } from "#testing/s3-server";
import type { ArtifactStore } from "./artifact-store.ts";
import { copyFolder } from "./copy-folder.ts";
import { copyStore } from "./copy-store.ts";
import { LocalStore } from "./local-store.ts";
import { S3Objects } from "./s3-objects.ts";
import { S3Store } from "./s3-store.ts";
import { ArtifactDamagedError, ArtifactNotFoundError, ArtifactTooLargeError } from "./storage-errors.ts";

const server = await startS3Server();
afterAll(() => server.stop());

/** A store under test, and what a look behind it shows. */
type Subject = {
  store: ArtifactStore;
  /** Names of all stored files, including internal ones. */
  stored(): Promise<string[]>;
  overwrite(key: string, name: string, text: string): Promise<void>;
  remove(): void;
};

function local(): Subject {
  const root = mkdtempSync(path.join(os.tmpdir(), "stores-"));
  return {
    store: new LocalStore(root),
    stored: async () =>
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name),
    overwrite: async (key, name, text) => writeFileSync(path.join(root, key, name), text),
    remove: () => rmSync(root, { recursive: true }),
  };
}

let prefixes = 0;
function s3(): Subject {
  const { bucket, endpoint } = server;
  const place = { bucket, endpoint, prefix: `subject-${++prefixes}/`, region: "us-east-1" };
  const objects = new S3Objects(place);
  const stored = async () => (await Array.fromAsync(objects.each(""))).map(({ name }) => name);
  return {
    store: new S3Store(place),
    stored,
    overwrite: async (key, name, text) => {
      const found = (await stored()).find((one) => one.startsWith(`${key}/.`) && one.endsWith(`/${name}`));
      await objects.put(found!, Buffer.from(text), createHash("sha256").update(text).digest("hex"));
    },
    remove: () => {},
  };
}

const bytes = (text: string) => Buffer.from(text);
const files = (entries: Record<string, string>) =>
  new Map(Object.entries(entries).map(([name, text]) => [name, bytes(text)]));
const sha256 = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");

describe.each([
  ["a local directory", local, 40],
  ["S3", s3, 5],
])("%s", (_, make, rounds) => {
  let subject: Subject;
  let store: ArtifactStore;
  let stored: Subject["stored"];
  let overwrite: Subject["overwrite"];
  beforeEach(() => {
    subject = make();
    ({ store, stored, overwrite } = subject);
  });
  afterEach(() => subject.remove());

  const copy = (from: string, to: string) => copyFolder({ store, key: from }, { store, key: to });

  test("returns every file byte for byte, with its size and SHA-256 in the manifest", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (content) => {
        const manifest = await store.writeFolder("projects/a", new Map([["model.onnx", content]]));
        expect(await store.readFile("projects/a", "model.onnx")).toEqual(Buffer.from(content));
        expect(await buffer(await store.openRead("projects/a", "model.onnx"))).toEqual(Buffer.from(content));
        expect(manifest.files).toEqual({ "model.onnx": { bytes: content.length, sha256: sha256(content) } });
        expect(await store.readManifest("projects/a")).toEqual(manifest);
      }),
      { numRuns: 15 },
    );
  });

  test("reads any part of a file", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 5000 }),
        fc.nat(),
        fc.nat(),
        async (content, a, b) => {
          await store.writeFolder("projects/a", new Map([["rows", content]]));
          const start = a % content.length;
          const range = { start, end: start + 1 + (b % (content.length - start)) };
          expect(await buffer(await store.openRead("projects/a", "rows", range))).toEqual(
            Buffer.from(content.subarray(range.start, range.end)),
          );
        },
      ),
      { numRuns: rounds },
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
  ])("rejects the key %j", async (key) => {
    await expect(store.writeFolder(key, files({ x: "1" }))).rejects.toThrow(TypeError);
    await expect(store.readFile(key, "x")).rejects.toThrow(TypeError);
    await expect(store.deleteFolder(key)).rejects.toThrow(TypeError);
    await expect(store.exists(key)).rejects.toThrow(TypeError);
    if (key !== "") await expect(store.listFolders(key)).rejects.toThrow(TypeError);
  });

  test.each(["", ".", "..", "../x", "a/b", ".hidden", "MANIFEST.json", "a\0"])(
    "rejects the file name %j",
    async (name) => {
      await expect(store.writeFolder("a", files({ [name]: "1" }))).rejects.toThrow(TypeError);
      await expect(store.openRead("a", name)).rejects.toThrow(TypeError);
      expect(await store.exists("a")).toBe(false);
    },
  );

  test("distinguishes an absent file from a failure", async () => {
    await expect(store.readFile("a/b", "x")).rejects.toThrow(ArtifactNotFoundError);
    await expect(store.openRead("a/b", "x")).rejects.toThrow(ArtifactNotFoundError);
    await expect(store.readManifest("a/b")).rejects.toThrow(ArtifactNotFoundError);
    await expect(copy("a/b", "c")).rejects.toThrow(ArtifactNotFoundError);
    await store.writeFolder("a/b", files({ y: "1" }));
    await expect(store.readFile("a/b", "x")).rejects.toThrow(ArtifactNotFoundError);
    expect(await store.exists("c")).toBe(false);
  });

  test("replaces the whole folder if the same key is written again", async () => {
    await store.writeFolder("a", files({ x: "1", y: "2" }));
    await store.writeFolder("a", files({ x: "3" }));
    expect((await store.readFile("a", "x")).toString()).toBe("3");
    await expect(store.readFile("a", "y")).rejects.toThrow(ArtifactNotFoundError);
  });

  test("a folder written during the removal of its parent is complete or absent", async () => {
    const writing = Array.from({ length: 8 }, async (_, writer) => {
      for (let round = 0; round < rounds; round++) {
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
    expect(await copy("a/model", "a/checkpoint")).toEqual(manifest);
    await store.deleteFolder("a/model");
    expect((await store.readFile("a/checkpoint", "y")).toString()).toBe("2");
  });

  test("deletes a folder with its subfolders, and accepts an absent folder", async () => {
    await store.writeFolder("projects/a/models/1", files({ x: "1" }));
    await store.writeFolder("projects/a/checkpoints/2", files({ x: "1" }));
    await store.writeFolder("projects/b/models/1", files({ x: "1" }));
    await store.deleteFolder("projects/a");
    await store.deleteFolder("projects/a");
    expect(await store.listFolders("projects")).toEqual(["projects/b/models/1"]);
    expect(await store.listFolders("nothing/there")).toEqual([]);
    expect(await store.listFolders("")).toEqual(["projects/b/models/1"]);
  });

  test("stores and measures a complete stream", async () => {
    const chunks = Array.from({ length: 300 }, (_, i) => Buffer.alloc(1000, i % 256));
    const whole = Buffer.concat(chunks);
    const measured = await store.writeStream("uploads/1", Readable.from(chunks), { limitBytes: 300_000 });
    expect(measured).toEqual({ bytes: 300_000, sha256: sha256(whole) });
    expect(await buffer(await store.openRead("uploads/1", "content"))).toEqual(whole);
  });

  test("concurrent writers of one key leave the complete folder of one", async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        store.writeFolder("a", files({ x: `${i}`, [`only-${i}`]: `${i}` })),
      ),
    );
    const winner = (await store.readFile("a", "x")).toString();
    expect(Object.keys((await store.readManifest("a")).files)).toEqual(["x", `only-${winner}`]);
  });

  test("detects a damaged file during a copy, and publishes no copy", async () => {
    await store.writeFolder("a", files({ x: "right" }));
    await overwrite("a", "x", "wrong");
    await expect(copy("a", "b")).rejects.toThrow(ArtifactDamagedError);
    expect(await store.exists("b")).toBe(false);
  });

  test("publishes and leaves nothing of a stream that is too long or interrupted", async () => {
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
    expect(await stored()).toEqual([]);
  });
});

test.each([
  ["a local directory", "S3", local, s3],
  ["S3", "a local directory", s3, local],
])("copies all folders of %s to %s, and none the second time", async (_from, _to, makeFrom, makeTo) => {
  const [from, to] = [makeFrom(), makeTo()];
  await from.store.writeFolder("projects/a/models/1", files({ x: "1", y: "2" }));
  await from.store.writeFolder("projects/a/models/2", files({ x: "3" }));
  await to.store.writeFolder("projects/a/models/2", files({ x: "former" }));
  const reported: string[] = [];
  const copied = await copyStore(from.store, to.store, (done, total) => reported.push(`${done} of ${total}`));
  expect([copied, reported]).toEqual([{ copied: 2, present: 0 }, ["1 of 2", "2 of 2"]]);
  for (const key of await from.store.listFolders("")) {
    expect(await to.store.readManifest(key)).toEqual(await from.store.readManifest(key));
  }
  expect((await to.store.readFile("projects/a/models/2", "x")).toString()).toBe("3");
  expect(await copyStore(from.store, to.store)).toEqual({ copied: 0, present: 2 });
  for (const subject of [from, to]) subject.remove();
});
