import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateLabel, importedLabel } from "#lib/contract/checkpoint-label";
import { Label } from "#lib/contract/checkpoints";
import { ProjectName } from "#lib/contract/projects";
import { becomesDefault, folderNameOf, freeSlot } from "./new-checkpoint.ts";

const date = new Date("2026-03-09T23:59:59.999Z");
const none: ReadonlySet<string> = new Set();
/** Characters of several code points. Part of one can be another character, or invisible. */
const whole = ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩‍👩‍👧‍👦", "🇩🇪"];

describe('"Checkpoints per project | 20 maximum"', () => {
  it("gives twenty checkpoints distinct slots, and the twenty-first no slot", () => {
    const taken = new Set<number>();
    for (let count = 1; count <= 20; count++) taken.add(freeSlot(taken)!);
    expect([...taken].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(freeSlot(taken)).toBeNull();
    taken.delete(7);
    expect(freeSlot(taken)).toBe(7);
  });
});

describe('"generated from project name and date; on conflict the generated label gets a suffix `_02`, `_03`, and so on"', () => {
  it("has the form <ProjectName>_<YYYYMMDD>, in UTC", () => {
    expect(generateLabel("Heat demand", date, none)).toBe("Heat demand_20260309");
  });

  it("increments the suffix while labels are taken", () => {
    const taken = new Set<string>();
    for (let count = 0; count < 101; count++) taken.add(generateLabel("Heat", date, taken));
    expect([...taken].slice(0, 3)).toEqual(["Heat_20260309", "Heat_20260309_02", "Heat_20260309_03"]);
    expect([...taken].at(-1)).toBe("Heat_20260309_101");
  });

  it('is a valid label for any project name: "2-100 characters, unique within the project"', () => {
    const character = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
      fc.constantFrom(...whole),
    );
    const name = fc
      .string({ unit: character, minLength: 1, maxLength: 100 })
      .filter((text) => ProjectName.safeParse(text).success);
    fc.assert(
      fc.property(name, fc.integer({ min: 1, max: 110 }), (projectName, count) => {
        const taken = new Set<string>();
        for (let index = 0; index < count; index++) taken.add(generateLabel(projectName, date, taken));
        expect(taken.size).toBe(count);
        for (const label of taken) {
          expect(Label.safeParse(label).success).toBe(true);
          expect(label.isWellFormed()).toBe(true);
          expect(label).toMatch(/_20260309(_\d{2,})?$/);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("cuts the name so that label and suffix fit", () => {
    const taken = new Set<string>();
    taken.add(generateLabel("x".repeat(100), date, taken));
    expect([...taken]).toEqual([`${"x".repeat(91)}_20260309`]);
    expect(generateLabel("x".repeat(100), date, taken)).toBe(`${"x".repeat(88)}_20260309_02`);
  });

  it("counts characters, not UTF-16 units, and keeps a name that fits", () => {
    const most = "😀".repeat(91);
    expect(generateLabel(most, date, none)).toBe(`${most}_20260309`);
    expect(generateLabel(`${most}😀`, date, none)).toBe(`${most}_20260309`);
    const exported = "😀".repeat(100);
    expect(importedLabel(exported, none)).toBe(exported);
    expect(importedLabel(exported, new Set([exported]))).toBe(`${"😀".repeat(97)}_02`);
  });

  it.each(whole)("cuts before or after %s, not inside", (character) => {
    for (let before = 80; before <= 100 - [...character].length; before++) {
      const label = generateLabel("x".repeat(before) + character, date, none);
      expect(label).toMatch(/^x+(\P{ASCII}+)?_20260309$/u);
      expect(["", character]).toContain(label.replaceAll(/^x+|_20260309$/g, ""));
    }
  });
});

describe('"A folder name derived from the label has at most 50 characters."', () => {
  it("is a slug, unique, never empty and never a path", () => {
    const label = fc.oneof(
      fc.string({ unit: "binary", minLength: 2, maxLength: 100 }),
      fc.constantFrom("../../etc/passwd", "..", "//", "CON", "Übergröße", "模型", "a".repeat(100)),
    );
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 25 }), (labels) => {
        const taken = new Set<string>();
        for (const each of labels) {
          const folder = folderNameOf(each, taken);
          expect(folder).toMatch(/^[a-z0-9_-]{1,50}$/);
          expect(taken.has(folder)).toBe(false);
          taken.add(folder);
        }
      }),
    );
  });

  it("resembles the label", () => {
    expect(folderNameOf("Heat demand_20260309", none)).toBe("heat-demand_20260309");
    expect(folderNameOf("Übergröße v1.2", none)).toBe("ubergro-e-v1-2");
    expect(folderNameOf("模型", none)).toBe("checkpoint");
    expect(folderNameOf("模型二", new Set(["checkpoint"]))).toBe("checkpoint_02");
  });
});

describe("becomesDefault: the first checkpoint always, later ones if requested", () => {
  it.each([
    [true, false, true],
    [false, false, true],
    [true, true, true],
    [false, true, false],
  ])("setAsDefault %s, existing default %s: %s", (asked, hasDefault, expected) => {
    expect(becomesDefault(asked, hasDefault)).toBe(expected);
  });
});
