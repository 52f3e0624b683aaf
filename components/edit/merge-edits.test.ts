import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeEdits } from "./merge-edits.ts";

const fields = [
  { path: "title", label: "Title" },
  { path: "notes", label: "Notes" },
  { path: "columns.0.unit", label: "Unit of price" },
  { path: "tags", label: "Tags" },
];
const text = fc.constantFrom("a", "b", "c");
const form = fc.record({
  title: text,
  notes: text,
  columns: fc.tuple(fc.record({ column: fc.constant("price"), unit: text })),
  tags: fc.array(text, { maxLength: 2 }),
});
type Form = typeof form extends fc.Arbitrary<infer Values> ? Values : never;
const textsOf = ({ title, notes, columns, tags }: Form) => [title, notes, columns[0].unit, tags.join(", ")];

test("merges own changes with those of others, and never replaces one by the other without a conflict", () => {
  fc.assert(
    fc.property(form, form, form, (seen, mine, stored) => {
      const merged = mergeEdits(fields, { seen, mine, stored });
      const [before, own, theirs, now] = [seen, mine, stored, merged.values].map(textsOf) as string[][];
      for (const [at, { path }] of fields.entries()) {
        const isChanged = own![at] !== before![at];
        expect(merged.changed.includes(path)).toBe(isChanged);
        expect(now![at]).toBe(isChanged ? own![at] : theirs![at]);
        const isLost = isChanged && theirs![at] !== before![at] && theirs![at] !== own![at];
        expect(merged.conflicts.some((conflict) => conflict.path === path)).toBe(isLost);
      }
    }),
  );
});

test("shows both texts of a field that two people have changed", () => {
  const merged = mergeEdits([{ path: "notes", label: "Notes" }], {
    seen: { notes: "Draft" },
    mine: { notes: "Mine" },
    stored: { notes: "Checked" },
  });
  expect(merged.conflicts).toEqual([{ path: "notes", label: "Notes", mine: "Mine", stored: "Checked" }]);
});
