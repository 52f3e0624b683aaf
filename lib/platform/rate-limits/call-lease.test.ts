import fc from "fast-check";
import { expect, test } from "vitest";
import { CallLease } from "./call-lease.ts";
import { cost, type Rate, tolerance } from "./rate.ts";

const rates = fc.record({
  perMinute: fc.integer({ min: 1, max: 100_000 }),
  burst: fc.integer({ min: 1, max: 200 }),
});

/** Taking of the shared state by the rule of `takeCalls`, in seconds. */
function take(rate: Rate, arrival: number, now: number, wanted: number) {
  const base = Math.max(arrival, now);
  const free = Math.floor((tolerance(rate) - (base - now)) / cost(rate)) + 1;
  const granted = Math.max(0, Math.min(wanted, free));
  const next = granted === 0 ? arrival : base + granted * cost(rate);
  return { arrival: next, grant: { granted, aheadSeconds: next - now } };
}

test("allows at most the rate in any window, with any number of calls taken in advance by any process", () => {
  const step = fc.record({
    process: fc.nat(2),
    /** Of the time in which the rate gives one. */
    wait: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 300, noNaN: true })),
    ahead: fc.nat(200),
    events: fc.nat(200),
  });
  fc.assert(
    fc.property(rates, fc.array(step, { minLength: 1, maxLength: 30 }), (rate, steps) => {
      const leases: (CallLease | undefined)[] = [];
      let arrival = 0;
      let now = 1_000;
      const happened: number[] = [];
      for (const { process, wait, ahead, events } of steps) {
        now += wait * cost(rate);
        for (let event = 0; event < events; event++) {
          const held = leases[process];
          if (held?.isHalfOver()) {
            const renewed = take(rate, arrival, now, ahead);
            arrival = renewed.arrival;
            leases[process] = new CallLease(rate, renewed.grant, now * 1000, held.demand, held);
          }
          let happens = leases[process]?.use(now * 1000) ?? null;
          if (happens === null) {
            const taken = take(rate, arrival, now, 1 + ahead);
            arrival = taken.arrival;
            leases[process] = new CallLease(rate, taken.grant, now * 1000);
            happens = leases[process].answer();
          }
          if (!happens.allowed) break;
          happened.push(now);
        }
      }
      for (const [first, from] of happened.entries()) {
        if (from === happened[first - 1]) continue;
        happened.forEach((to, last) => {
          if (last >= first && last - first > (tolerance(rate) + to - from) / cost(rate) + 1e-6)
            throw new Error(`${last - first + 1} happened in ${to - from} s`);
        });
      }
    }),
    { numRuns: 200 },
  );
});

test("can be used up at once, and reports the remaining calls without the held ones", () => {
  fc.assert(
    fc.property(rates, (rate) => {
      const { grant } = take(rate, 0, 1_000, rate.burst);
      expect(grant.granted).toBe(rate.burst);
      const lease = new CallLease(rate, grant, 0);
      for (let used = 1; used <= rate.burst; used++) {
        expect(lease.use(0)).toMatchObject({ allowed: true, remaining: rate.burst - used });
      }
      expect(lease.use(0)).toBeNull();
    }),
  );
});

test("loses its calls one by one as their time passes", () => {
  const rate = { perMinute: 60, burst: 100 };
  const uses = (seconds: number) => {
    const lease = new CallLease(rate, { granted: 10, aheadSeconds: 30 }, 0);
    let count = 0;
    while (lease.use(seconds * 1000) !== null) count++;
    return count;
  };
  expect([0, 20, 20.5, 21, 23.2, 29, 30, 1e6].map(uses)).toEqual([10, 10, 9, 9, 6, 1, 0, 0]);
});
