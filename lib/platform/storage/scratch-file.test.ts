import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { setEnvironment } from "#testing/set-environment";
import { ScratchFile } from "./scratch-file.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "scratch-file-"));
setEnvironment({ DATA_DIR: folder });
afterAll(() => rmSync(folder, { recursive: true }));

async function contentOf(file: ScratchFile): Promise<number[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.read()) chunks.push(chunk);
  return [...Buffer.concat(chunks)];
}

test("returns the written bytes at each read, from memory or disk", async () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.nat(60), async (written, memoryBytes) => {
      await using file = new ScratchFile(memoryBytes);
      for (const chunk of written) await file.write(chunk);
      const whole = written.flatMap((chunk) => [...chunk]);
      expect(file.bytes).toBe(whole.length);
      expect(await contentOf(file)).toEqual(whole);
      expect(await contentOf(file)).toEqual(whole);
      expect([...(await file.whole())]).toEqual(whole);
    }),
  );
});

test("leaves no file behind, and keeps large content complete", async () => {
  const chunk = Uint8Array.from({ length: 700_000 }, (_, index) => index % 251);
  await using file = new ScratchFile(1_000);
  await file.write(chunk);
  await file.write(chunk);
  expect(existsSync(path.join(folder, "scratch"))).toBe(true);
  expect(readdirSync(path.join(folder, "scratch"))).toEqual([]);
  expect(Buffer.from(await contentOf(file)).equals(Buffer.concat([chunk, chunk]))).toBe(true);
  expect((await file.whole()).equals(Buffer.concat([chunk, chunk]))).toBe(true);
});
