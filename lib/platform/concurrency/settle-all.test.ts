import { expect, test } from "vitest";
import { settleAll } from "./settle-all.ts";

test("throws the first error after all promises have settled, or returns all results", async () => {
  const slow = Promise.withResolvers<number>();
  let hasFailed = false;
  const failing = settleAll([slow.promise, Promise.reject(new Error("first"))]);
  const rejection = expect(failing.finally(() => (hasFailed = true))).rejects.toThrow("first");
  await new Promise(setImmediate);
  expect(hasFailed).toBe(false);
  slow.resolve(1);
  await rejection;
  expect(await settleAll([slow.promise, "text"])).toEqual([1, "text"]);
});
