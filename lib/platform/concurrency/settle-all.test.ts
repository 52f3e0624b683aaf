import { expect, test } from "vitest";
import { whenAllEnded } from "#lib/turns/when-all-ended";

test("what fails is told once all the others have ended, and else all results are", async () => {
  const slow = Promise.withResolvers<number>();
  let hasFailed = false;
  const failing = whenAllEnded([slow.promise, Promise.reject(new Error("first"))]);
  const told = expect(failing.finally(() => (hasFailed = true))).rejects.toThrow("first");
  await new Promise(setImmediate);
  expect(hasFailed).toBe(false);
  slow.resolve(1);
  await told;
  expect(await whenAllEnded([slow.promise, "text"])).toEqual([1, "text"]);
});
