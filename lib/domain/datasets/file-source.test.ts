import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { followed, openFileData } from "./file-source.ts";

test("a followed file has the same bytes, and reports the share that is read", async () => {
  const content = Buffer.alloc(1_000_000, "1,2,3\n");
  const shares: number[] = [];
  const file = followed(openFileData(content.toString("base64")), (share) => shares.push(share));
  expect(file.bytes).toBe(content.length);
  expect(await buffer(await file.open())).toEqual(content);
  expect(shares.length).toBeGreaterThan(2);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
});
