import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProgressThrottle } from "./progress-throttle.ts";

const reports = fc.array(
  fc.record({
    waitMs: fc.integer({ min: 0, max: 400 }),
    percent: fc.oneof(fc.double({ min: -10, max: 120 }), fc.constant(Number.NaN)),
    stage: fc.option(fc.constantFrom("read", "fit", "write"), { nil: undefined }),
  }),
  { maxLength: 60 },
);

describe("ProgressThrottle", () => {
  it("writes at most four times a second and at new stages, publishes at most twice a second, and never decreases", () => {
    fc.assert(
      fc.property(reports, (calls) => {
        let now = 1_000;
        let stage: string | undefined;
        let percent = 0;
        const plain: number[] = [];
        const published: number[] = [now];
        const throttle = new ProgressThrottle(() => now);
        for (const call of calls) {
          now += call.waitMs;
          const due = throttle.next(call.percent, call.stage);
          const isNewStage = call.stage !== undefined && call.stage !== stage;
          if (isNewStage) {
            expect(due).not.toBeNull();
            stage = call.stage;
          }
          if (due === null) continue;
          expect(due.percent).toBeGreaterThanOrEqual(percent);
          expect(due.percent).toBeLessThanOrEqual(100);
          percent = due.percent;
          if (!isNewStage) plain.push(now);
          if (due.isPublished) published.push(now);
        }
        for (const [times, most] of [
          [plain, 4],
          [published, 2],
        ] as const) {
          for (const start of times) {
            expect(times.filter((time) => time >= start && time < start + 1_000).length).toBeLessThanOrEqual(
              most,
            );
          }
        }
      }),
    );
  });

  it("writes the last known percentage with a new stage", () => {
    let now = 0;
    const throttle = new ProgressThrottle(() => now);
    expect(throttle.next(10, "read")).toEqual({ percent: 10, isPublished: false });
    now = 100;
    expect(throttle.next(40, undefined)).toBeNull();
    now = 120;
    expect(throttle.next(30, "fit")).toEqual({ percent: 40, isPublished: false });
    now = 600;
    expect(throttle.next(50, undefined)).toEqual({ percent: 50, isPublished: true });
  });
});
