import { expect, test } from "vitest";
import { ThreadPool } from "./thread-pool.ts";

const pool = new ThreadPool<string, string>({
  entry: "./test-thread.ts",
  beside: import.meta.url,
  threads: 1,
  heapMb: 24,
});

test("one thread answers one question after the other", async () => {
  expect(await Promise.all([pool.ask("a"), pool.ask("b")])).toEqual(["a 1", "b 2"]);
});

test("what a thread throws is thrown, with what caused it; the thread stays", async () => {
  const error = await pool.ask("fail").catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ name: "RangeError", message: "Not so.", cause: { message: "That is why." } });
  expect(await pool.ask("c")).toBe("c 4");
});

test.each([
  ["end", "A thread ended with code 3."],
  ["fill", "ERR_WORKER_OUT_OF_MEMORY"],
])(
  "a thread that ends (%s) fails its question alone: the next one has another thread",
  async (question, told) => {
    const [failed, next] = await Promise.allSettled([pool.ask(question), pool.ask("d")]);
    const { code, message } = (failed as PromiseRejectedResult).reason;
    expect([code, message]).toContain(told);
    expect(next).toEqual({ status: "fulfilled", value: "d 1" });
  },
);

test("who has gone leaves the queue", async () => {
  const gone = new AbortController();
  const first = pool.ask("e");
  const left = pool.ask("f", gone.signal);
  gone.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  expect(await first).toMatch("e");
});
