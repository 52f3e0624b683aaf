import fc from "fast-check";
import { expect, test } from "vitest";
import { comparisonCsv, type WrittenScenario } from "./comparison-csv.ts";

type Described = { gaps: number[]; lower: boolean; upper: boolean };

function written({ gaps, ...has }: Described, index: number, timed: boolean): WrittenScenario {
  let time = 0;
  const times = Float64Array.from(gaps, (gap) => (time += gap));
  const prediction = times.map((value) => value / (index + 1));
  const bound = (by: number) => prediction.map((value) => value + by);
  return {
    ...{ scenarioId: `s${index}`, title: index % 2 ? "Plan" : "Other", has, prediction },
    timestamps: timed ? times : null,
    boundsOf: async ({ start, end }) => ({
      lower: has.lower ? bound(-1).slice(start, end) : null,
      upper: has.upper ? bound(1).slice(start, end) : null,
    }),
  };
}

async function textOf(pieces: AsyncGenerator<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

const described = fc.record({
  gaps: fc.array(fc.constantFrom(1, 1, 2, 9), { minLength: 1, maxLength: 20 }),
  lower: fc.boolean(),
  upper: fc.boolean(),
});

test("a file is the same in whatever stretches it is written", async () => {
  const scenarios = fc.array(described, { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(scenarios, fc.boolean(), fc.integer({ min: 1, max: 9 }), async (all, timed, stretch) => {
      const series = all.map((one, index) => written(one, index, timed));
      const actualAt = (time: number) => (time % 5 === 0 ? time : Number.NaN);
      const textIn = (points: number) =>
        textOf(comparisonCsv(series, "s1", { from: 2, to: 30 }, timed ? actualAt : null, points));
      expect(await textIn(stretch)).toBe(await textIn(1_000));
    }),
  );
});

test("each point has a line with predictions, bounds and differences, and nothing where a scenario has no row", async () => {
  const series = [
    written({ gaps: [1, 1, 1], lower: true, upper: false }, 0, true),
    written({ gaps: [2, 1, 1], lower: false, upper: true }, 1, true),
  ];
  const text = await textOf(comparisonCsv(series, "s0", {}, null, 2));
  expect(text.split("\r\n")).toEqual([
    "timestamp,Other,Other lower,Plan,Plan upper,Plan difference",
    "1970-01-01T00:00:00.001Z,1,0,,,",
    "1970-01-01T00:00:00.002Z,2,1,1,2,-1",
    "1970-01-01T00:00:00.003Z,3,2,1.5,2.5,-1.5",
    "1970-01-01T00:00:00.004Z,,,2,3,",
    "",
  ]);
});
