import { setImmediate as immediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Lease, type LeaseRequest, Leases, ValueLease } from "./leases.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** Requests that are answered when a test says so. */
function source<L>() {
  const open: (PromiseWithResolvers<L> & { asked: LeaseRequest<L> })[] = [];
  const request = (asked: LeaseRequest<L>) => {
    const answer = Promise.withResolvers<L>();
    open.push({ ...answer, asked });
    return answer.promise;
  };
  const answer = async (make: (asked: LeaseRequest<L>) => L) => {
    const { resolve, asked } = open.shift()!;
    resolve(make(asked));
    await immediate(); // All callers that wait for it have it now.
  };
  return { open, request, answer };
}

const lasting =
  (value: string, lastsMs = 100) =>
  ({ requestedMs }: LeaseRequest<ValueLease<string>>) =>
    new ValueLease(value, requestedMs, lastsMs);

async function leased(value: string) {
  const { open, request, answer } = source<ValueLease<string>>();
  const leases = new Leases<string>();
  const use = () => leases.use("a", request);
  const first = use();
  await answer(lasting(value));
  expect(await first).toBe(value);
  return { open, use, answer };
}

test("renews a lease that is used in its second half, while callers get the old one", async () => {
  const { open, use, answer } = await leased("old");
  vi.advanceTimersByTime(49);
  expect(use()).toBe("old");
  expect(open).toHaveLength(0);
  vi.advanceTimersByTime(1);
  expect(use()).toBe("old");
  expect(use()).toBe("old");
  expect(open).toHaveLength(1);
  expect(open[0]!.asked.waiting).toBe(0);
  await answer(lasting("new"));
  vi.advanceTimersByTime(60);
  expect(use()).toBe("new");
});

test("counts a lease from before its request, even if the response is late", async () => {
  const { open, request, answer } = source<ValueLease<string>>();
  const leases = new Leases<string>();
  const use = () => leases.use("a", request);
  const first = use();
  vi.advanceTimersByTime(99);
  await answer(lasting("slow"));
  expect(await first).toBe("slow");
  expect(use()).toBe("slow");
  expect(open).toHaveLength(1);
  vi.advanceTimersByTime(1);
  const late = use();
  expect(late).toBeInstanceOf(Promise);
  // The renewal, whose request began 1 ms ago, is in time after all.
  await answer(lasting("renewed"));
  expect(await late).toBe("renewed");
  expect(open).toHaveLength(0);
});

test("keeps a lease to its end while renewals fail, and then returns the error to callers", async () => {
  const { open, use } = await leased("known");
  const fail = async () => {
    open.shift()!.reject(new Error("away"));
    await immediate();
  };
  vi.advanceTimersByTime(60);
  expect(use()).toBe("known");
  await fail();
  vi.advanceTimersByTime(39);
  expect(use()).toBe("known");
  await fail();
  vi.advanceTimersByTime(1);
  const late = use();
  await Promise.all([expect(late).rejects.toThrow("away"), fail()]);
});

test("requests a value that must not be leased at each use, and ends the lease before it", async () => {
  const { use, answer } = await leased("known");
  vi.advanceTimersByTime(60);
  expect(use()).toBe("known");
  await answer(lasting("unsure", 0));
  const next = use();
  expect(next).toBeInstanceOf(Promise);
  await answer(lasting("sure"));
  expect(await next).toBe("sure");
});

/** A right to a number of uses. */
class Tickets implements Lease<string> {
  readonly #name: string;
  #left: number;

  constructor(name: string, count: number) {
    this.#name = name;
    this.#left = count;
  }

  use() {
    return this.#left > 0 ? this.answer() : null;
  }

  answer() {
    this.#left--;
    return `${this.#name}${this.#left}`;
  }

  isHalfOver() {
    return false;
  }
}

test("serves callers that arrive during a request in order, from its lease or one more request", async () => {
  const { open, request, answer } = source<Tickets>();
  const leases = new Leases<string, Tickets>();
  const use = () => leases.use("a", request);
  const first = use();
  const later = [use(), use(), use(), use()];
  expect(open).toHaveLength(1);
  await answer(() => new Tickets("a", 2));
  expect(await Promise.all([first, later[0]])).toEqual(["a1", "a0"]);
  expect(open).toHaveLength(1);
  expect(open[0]!.asked.waiting).toBe(3);
  await answer(() => new Tickets("b", 4));
  expect(await Promise.all(later.slice(1))).toEqual(["b3", "b2", "b1"]);
  expect(use()).toBe("b0");
});
