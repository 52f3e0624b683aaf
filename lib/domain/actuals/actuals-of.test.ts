import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GridDefinition } from "#lib/engine/features/grid";
import { actualsAmong, stepOf } from "./actuals-of.ts";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2024, 2, 28);
/** Some days around the start of summer time, with times at any minute. */
const time = fc.integer({ min: 0, max: 14 * 24 * 60 }).map((minutes) => START + minutes * 60_000);
const grid = fc.option(
  fc.record<GridDefinition>({
    frequency: fc.constantFrom("PT1H", "PT7H", "P1D", "P2D", "P1M"),
    timezone: fc.constantFrom("UTC", "Europe/Berlin", "Asia/Beirut"),
    start: fc.constantFrom(START, START + 5 * HOUR_MS),
  }),
  { nil: null },
);

describe("actuals by step", () => {
  it("are the values of each step's last row, and NaN for a step without a row", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ time, value: fc.double({ noNaN: true }) }), { maxLength: 40 }),
        fc.array(time, { maxLength: 40 }),
        grid,
        (rows, asked, grid) => {
          const known = rows.toSorted((a, b) => a.time - b.time);
          const table = {
            rowCount: known.length,
            columns: [
              {
                name: "at",
                type: "timestamp" as const,
                values: Float64Array.from(known, ({ time }) => time),
              },
              { name: "y", type: "number" as const, values: Float64Array.from(known, ({ value }) => value) },
            ],
          };
          const step = stepOf(grid);
          const byStep = new Map(known.map(({ time, value }) => [step(time), value]));
          const target = { known: table, timestamp: "at", target: "y", grid };
          const actualsAt = (times: Float64Array) => times.map((one) => byStep.get(step(one)) ?? Number.NaN);
          const askedTimes = Float64Array.from(asked).sort();
          const allTimes = Float64Array.from([...asked, ...known.map(({ time }) => time)]).sort();
          for (const times of [
            askedTimes,
            allTimes,
            ...Array.from(allTimes, (one) => Float64Array.of(one)),
          ]) {
            const actuals = actualsAt(times);
            const isAny = actuals.some((value) => !Number.isNaN(value));
            expect(actualsAmong(target, times)).toEqual(isAny ? actuals : null);
          }
        },
      ),
    );
  });
});
