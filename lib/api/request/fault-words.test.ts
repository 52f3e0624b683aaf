import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { type FieldPath, fieldsOfType, withValue } from "#testing/body-fields";
import { routeCases } from "#testing/route-cases";
import { validationError } from "./validation-error.ts";

const schemas = (await routeCases()).flatMap(({ name, handler: { declaration } }) =>
  (["body", "query"] as const).flatMap((kind): [string, z.ZodType, typeof kind][] =>
    declaration[kind] ? [[`${name} (${kind})`, declaration[kind], kind]] : [],
  ),
);

/** zod's own messages, which state the problem but not how to fix it. */
const libraryWords =
  /\binvalid\b|\bexpected\b|\breceived\b|\brequired$|\btoo (?:big|small)\b|\bunrecogni[sz]ed\b/i;
/** Fallback messages. Every schema has a more specific message. */
const vague = /documentation shows/;

/** Checks that each issue has a location and a message that states how to fix it. */
function expectWords(schema: z.ZodType, kind: "body" | "query", value: unknown): void {
  const { error } = schema.safeParse(value, { reportInput: true });
  if (error === undefined) return;
  for (const { field, message } of validationError(error, kind).details ?? []) {
    const shown = `${JSON.stringify(value)?.slice(0, 200)}: ${field}: ${message}`;
    if (message === `${field} is required` || message === `${field} is not a field of this request`) continue;
    expect(field === undefined || message.startsWith(`${field}: `), shown).toBe(true);
    const words = field === undefined ? message : message.slice(field.length + 2);
    expect(words, shown).toMatch(/^(?:Add|Send|Write|Name|Use|Only|A setting|At most|No holidays)\b/);
    expect(words, shown).not.toMatch(libraryWords);
    expect(words, shown).not.toMatch(vague);
  }
}

const rubbish: unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e300, Number.POSITIVE_INFINITY, "", "x", " ", "x".repeat(20_000)],
  ...[[], [null], [[]], {}, { x: 1 }, "2026-02-30", "9999-12-31T23:59:59-23:59", undefined],
];

describe("every issue has a location and an instruction", () => {
  test.each(schemas)("%s", (_name, schema, kind) => {
    for (const value of rubbish) expectWords(schema, kind, value);
    const places: FieldPath[] = fieldsOfType(schema, null);
    for (const place of places) {
      for (const value of rubbish) expectWords(schema, kind, withValue({}, place, value));
    }
    const anywhere = fc.record({ place: fc.constantFrom(...places), value: fc.jsonValue() });
    fc.assert(
      fc.property(fc.array(anywhere, { maxLength: 4 }), (issues) => {
        const body = issues.reduce<unknown>((whole, { place, value }) => withValue(whole, place, value), {});
        expectWords(schema, kind, body);
      }),
      { numRuns: 50 },
    );
  });
});
