import fc from "fast-check";
import { expect, test } from "vitest";
import { valuesOf } from "#testing/csv-case-rows";
import { parseTable, type RandomTable, randomTable } from "#testing/random-tables";
import type { CsvOptions, CsvResult } from "./options.ts";
import { proposeReading } from "./propose-reading.ts";

/** Number of tables; more by the environment variable RANDOM_TABLES. */
const tables = Number(process.env.RANDOM_TABLES ?? 200);
/** Choices that are followed one after the other. */
const STEPS_MAX = 6;

/** Returns the differences between what was written and what was read; none if the file was rejected. */
function misread(table: RandomTable, result: CsvResult): string[] {
  if (result.issueCount > 0) return [];
  const warned = new Set(result.warnings.map(({ code }) => code));
  const [times, texts, values] = [result.times?.column ?? "t", "city", "y"].map((name) =>
    valuesOf(result.table, name),
  );
  const isNamed = warned.has("summary_row");
  const differences: string[] = [];
  if (times!.length !== table.times.length && !isNamed) differences.push(`${times!.length} rows`);
  table.times.forEach((time, row) => {
    const expected = new Date(time).toISOString();
    if (times![row] !== expected) differences.push(`row ${row + 1}: ${times![row]} for ${expected}`);
    if (texts![row] !== table.texts[row])
      differences.push(`row ${row + 1}: ${texts![row]} for ${table.texts[row]}`);
    const value = table.values[row]!;
    const isCode = value === null && values![row] === table.code && warned.has("missing_code");
    if (values![row] !== value && !isCode) differences.push(`row ${row + 1}: ${values![row]} for ${value}`);
  });
  return differences;
}

/** Returns the request's options with those of a choice. */
function withOptions(options: CsvOptions, choice: Record<string, unknown>): CsvOptions {
  const changed = { ...options } as Record<string, unknown>;
  for (const [key, value] of Object.entries(choice)) {
    const before = changed[key];
    if (Array.isArray(value) && key !== "timestamp")
      changed[key] = [...((before as unknown[]) ?? []), ...value];
    else if (key === "columnFormats") changed[key] = { ...(before as object), ...(value as object) };
    else changed[key] = value;
  }
  return changed as CsvOptions;
}

/** Returns whether some sequence of choices reads the table exactly. */
function isReadByChoices(table: RandomTable, options: CsvOptions, steps = STEPS_MAX): boolean {
  const result = parseTable(table.bytes, options);
  const hasCode = result.warnings.some(({ code }) => code === "missing_code");
  if (result.issueCount === 0 && !hasCode && misread(table, result).length === 0) return true;
  if (steps === 0) return false;
  const choices = [
    ...result.issues,
    ...result.warnings.filter(({ code }) => code === "missing_code"),
  ].flatMap((finding) => finding.choices ?? []);
  const { numberFormats, missing, columnFormats } = proposeReading(result.columns, options);
  const proposed: Record<string, unknown>[] = [
    ...(numberFormats.length > 0 ? [{ numberFormats }] : []),
    ...(missing.length > 0 ? [{ missing }] : []),
    ...(Object.keys(columnFormats).length > 0 ? [{ columnFormats }] : []),
  ];
  return [...choices.map((choice) => choice.options), ...proposed].some((one) =>
    isReadByChoices(table, withOptions(options, one), steps - 1),
  );
}

test(`reads tables in random formats as they were written, or rejects them (${tables} tables)`, () => {
  let [read, chosen, all] = [0, 0, 0];
  fc.assert(
    fc.property(randomTable, (table) => {
      const result = parseTable(table.bytes, table.options);
      const differences = misread(table, result).slice(0, 3);
      expect(differences, table.shown).toEqual([]);
      all++;
      if (result.issueCount === 0) read++;
      else if (isReadByChoices(table, table.options)) chosen++;
    }),
    { numRuns: tables },
  );
  // Otherwise, rejecting every table would pass.
  expect(read / all).toBeGreaterThan(0.1);
  expect((read + chosen) / all).toBeGreaterThan(0.5);
  console.info(`${read} read, ${chosen} by choices, of ${all}`);
});
