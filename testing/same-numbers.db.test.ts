import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { escapeFormula } from "#lib/engine/csv/formulas";
import { trainCaseModel } from "./csv-case-model.ts";
import { type CaseRow, caseColumns, cellsOf } from "./csv-cases.ts";
import { inRequest, predict, runScenario, uploaded, validate } from "./csv-entry-points.ts";
import { naughtyTexts } from "./hostile-texts.ts";
import { createTestDatabase } from "./postgres.ts";
import type { TrainedProject } from "./scenario-factory.ts";
import { dialects, writeDialect } from "./write-dialect.ts";

await createTestDatabase();
let model: TrainedProject & { checkpointId: string };
beforeAll(async () => {
  model = await trainCaseModel();
});

const text = fc
  .oneof(fc.constantFrom(...naughtyTexts, "Bonn", "Köln"), fc.string({ unit: "grapheme", maxLength: 6 }))
  .map((candidate) => candidate.replaceAll("\0", "").trim() || "Bonn");
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ noNaN: true, min: -50, max: 50 }),
  fc.integer({ min: -20, max: 20 }),
);
const row = fc.record({
  step: fc.integer({ min: 1, max: 200_000 }),
  temp: fc.option(double, { nil: null }),
  city: fc.option(text, { nil: null }),
  open: fc.boolean(),
});
/** Rows with ascending times in whole seconds. They start on the 13th, so that the order of day and month is clear. */
const rows = fc.array(row, { minLength: 1, maxLength: 8 }).map((list) => {
  let seconds = Date.UTC(2024, 2, 13) / 1000;
  return list.map(({ step, ...cells }): CaseRow => {
    const when = new Date(seconds * 1000).toISOString();
    seconds += step;
    return { when, ...cells, load: 0 };
  });
});

const two = (value: number) => String(value).padStart(2, "0");
const times: ((iso: string) => string)[] = [
  (iso) => iso,
  (iso) => iso.slice(0, 19),
  (iso) => iso.slice(0, 19).replace("T", " "),
  (iso) => `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)} ${iso.slice(11, 19)}`,
  (iso) => `${Number(iso.slice(5, 7))}/${Number(iso.slice(8, 10))}/${iso.slice(0, 4)} ${iso.slice(11, 19)}`,
  (iso) => String(Date.parse(iso)),
  (iso) => String(Date.parse(iso) / 1000),
  (iso) => {
    const shifted = new Date(Date.parse(iso) + 5.5 * 3_600_000);
    return `${shifted.toISOString().slice(0, 19)}+${two(5)}:30`;
  },
];

const file = fc.record({
  rows,
  dialect: fc.record({
    delimiter: fc.constantFrom(...dialects.delimiter),
    newline: fc.constantFrom(...dialects.newline),
    encoding: fc.constantFrom(...dialects.encoding),
    quoteAll: fc.boolean(),
    lastNewline: fc.boolean(),
  }),
  when: fc.constantFrom(...times),
  decimalComma: fc.boolean(),
  order: fc.shuffledSubarray([...caseColumns], { minLength: caseColumns.length }),
  isUpload: fc.boolean(),
});

describe("predictions for the same rows", () => {
  it("are identical for CSV of any dialect, encoding and column order, and for JSON", async () => {
    await fc.assert(
      fc.asyncProperty(file, async ({ rows: list, dialect, when, decimalComma, order, isUpload }) => {
        const comma = decimalComma && dialect.delimiter !== ",";
        const number = (value: number) => {
          const plain = Object.is(value, -0) ? "-0" : String(value);
          return comma ? plain.replace(".", ",") : plain;
        };
        const written = list.map((one) => ({
          ...one,
          city: one.city === null ? null : escapeFormula(one.city),
        }));
        const bytes = writeDialect(cellsOf(written, { when, number }, order), dialect);
        const input = Object.fromEntries(
          caseColumns.filter((name) => name !== "load").map((name) => [name, list.map((one) => one[name])]),
        );
        const predicted = await predict(model, input);
        expect(predicted.status).toBe(200);
        const source = isUpload ? await uploaded(model, bytes) : inRequest(bytes);
        const verdict = await validate(model, source);
        expect(verdict.data).toMatchObject({ valid: true, faults: [], rowCount: list.length });
        const scenario = await runScenario(model, { ...source, checkpointId: model.checkpointId });
        expect(scenario.predictions).toEqual(predicted.data.predictions);
      }),
      { numRuns: 40 },
    );
  }, 120_000); // Predicts 40 files, as JSON and as CSV.
});
