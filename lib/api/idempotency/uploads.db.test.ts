import { randomBytes } from "node:crypto";
import { ReadableStream } from "node:stream/web";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { uploads } from "#db/schema/datasets";
import { newId } from "#lib/platform/ids/new-id";
import { createKey, createProject } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import { createTestDatabase } from "#testing/postgres";
import { POST } from "../../../app/api/v1/projects/[projectId]/uploads/route.ts";

const { db } = await createTestDatabase();

const { id: projectId } = await createProject();
const as = await createKey({ projectId });

/** Sends a body in pieces. */
async function upload(key: string, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
  const request = new Request(`http://service.test/api/v1/projects/${projectId}/uploads`, {
    method: "POST",
    headers: { ...as.headers, "content-type": "application/octet-stream", "idempotency-key": key },
    body: ReadableStream.from(pieces),
    duplex: "half",
  } as unknown as RequestInit);
  const response = await POST(request, { params: Promise.resolve({ projectId }) });
  const { data, error } = await response.json();
  return { status: response.status, uploadId: data?.uploadId, code: error?.code };
}

/** Files that uploads have left behind. */
async function kept() {
  const rows = await db.$count(uploads, eq(uploads.projectId, projectId));
  return { rows, folders: (await keptFolders(`projects/${projectId}/uploads`)).length };
}

test("different bytes of the same length are a different request, and none of them are stored", async () => {
  const key = newId();
  expect((await upload(key, [Buffer.from("abcdef")])).status).toBe(201);
  const before = await kept();
  expect(await upload(key, [Buffer.from("abcdeg")])).toMatchObject({
    status: 422,
    code: "idempotency_mismatch",
  });
  expect(await upload(key, [Buffer.from("abcde")])).toMatchObject({ status: 422 });
  expect(await upload(key, [Buffer.from("abcdeff")])).toMatchObject({ status: 422 });
  expect(await kept()).toEqual(before);
});

test("the same bytes are the same request, in any pieces", async () => {
  const key = newId();
  const bytes = randomBytes(10_000);
  const { uploadId } = await upload(key, [bytes]);
  const before = await kept();
  const cuts = fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      const ends = [0, ...places.toSorted((a, b) => a - b), bytes.length];
      const pieces = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
      expect(
        await upload(
          key,
          pieces.filter(({ length }) => length > 0),
        ),
      ).toMatchObject({ status: 201, uploadId });
    }),
    { numRuns: 20 },
  );
  expect(await kept()).toEqual(before);
});

test("a repeat returns 409 before it sends its body while the first upload streams in", async () => {
  const key = newId();
  const begun = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const first = upload(
    key,
    (async function* () {
      yield Buffer.from("abc");
      begun.resolve();
      await opened.promise;
      yield Buffer.from("def");
    })(),
  );
  await begun.promise;
  const never = (async function* () {
    yield await new Promise<Uint8Array>(() => {});
  })();
  expect(await upload(key, never)).toMatchObject({ status: 409, code: "idempotency_in_progress" });
  opened.resolve();
  const { status, uploadId } = await first;
  expect(status).toBe(201);
  expect(await upload(key, [Buffer.from("abcdef")])).toMatchObject({ status: 201, uploadId });
});

test("an interrupted upload stores nothing, and its key is free for a retry", async () => {
  const key = newId();
  const before = await kept();
  const broken = (async function* () {
    yield Buffer.from("abc");
    throw new Error("The line is cut.");
  })();
  expect((await upload(key, broken)).status).toBeGreaterThanOrEqual(400);
  expect(await kept()).toEqual(before);
  expect((await upload(key, [Buffer.from("abcdef")])).status).toBe(201);
});
