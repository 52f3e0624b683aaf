import { setImmediate as immediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Found, Leases } from "./leases.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** Somebody to ask whose answers come when they are told to. */
function source(lastsMs: number) {
  const open: PromiseWithResolvers<Found<string>>[] = [];
  const look = () => {
    open.push(Promise.withResolvers<Found<string>>());
    return open.at(-1)!.promise;
  };
  const tell = async (value: string) => {
    open.shift()!.resolve({ value, lastsMs });
    await immediate(); // Whoever waits for it has it.
  };
  return { open, look, tell };
}

test("one that is used in its second half is renewed, and nobody waits for it", async () => {
  const { open, look, tell } = source(100);
  const leases = new Leases<string>();
  const first = leases.find("a", look);
  await tell("old");
  expect(await first).toBe("old");
  vi.advanceTimersByTime(49);
  expect(leases.find("a", look)).toBe("old");
  expect(open).toHaveLength(0);
  vi.advanceTimersByTime(1);
  expect(leases.find("a", look)).toBe("old");
  expect(leases.find("a", look)).toBe("old");
  expect(open).toHaveLength(1);
  await tell("new");
  vi.advanceTimersByTime(60);
  expect(leases.find("a", look)).toBe("new");
});

test("a lease counts from before it was asked for, however late the answer comes", async () => {
  const { open, look, tell } = source(100);
  const leases = new Leases<string>();
  const first = leases.find("a", look);
  vi.advanceTimersByTime(99);
  await tell("slow");
  expect(await first).toBe("slow");
  expect(leases.find("a", look)).toBe("slow");
  expect(open).toHaveLength(1);
  vi.advanceTimersByTime(1);
  const late = leases.find("a", look);
  expect(late).toBeInstanceOf(Promise);
  // Renewed in time after all: the question that was under way has begun 1 ms ago.
  await tell("renewed");
  expect(await late).toBe("renewed");
  expect(open).toHaveLength(0);
});

test("where renewing fails the lease holds to its end, and then whoever asks is told", async () => {
  const { open, look, tell } = source(100);
  const leases = new Leases<string>();
  const first = leases.find("a", look);
  await tell("known");
  await first;
  vi.advanceTimersByTime(60);
  expect(leases.find("a", look)).toBe("known");
  open.shift()!.reject(new Error("away"));
  await immediate();
  vi.advanceTimersByTime(39);
  expect(leases.find("a", look)).toBe("known");
  vi.advanceTimersByTime(1);
  const asked = leases.find("a", look);
  open.shift()!.reject(new Error("away"));
  await expect(asked).rejects.toThrow("away");
});

test("what may not be taken for known is asked for each time, and ends what was known", async () => {
  const known = source(100);
  const unsure = source(0);
  const leases = new Leases<string>();
  const first = leases.find("a", known.look);
  await known.tell("known");
  await first;
  vi.advanceTimersByTime(60);
  expect(leases.find("a", unsure.look)).toBe("known");
  await unsure.tell("unsure");
  expect(leases.find("a", unsure.look)).toBeInstanceOf(Promise);
});
