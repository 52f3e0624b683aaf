import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainNotANumber, readNumber } from "./numbers.ts";

describe("readNumber", () => {
  it("reads every finite number back to the bit in any notation", () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(finite, fc.nat(20), (value, digits) => {
        const texts = [String(value), value.toExponential(), value.toPrecision(digits + 1)];
        if (Math.abs(value) < 1e20) texts.push(value.toFixed(digits));
        for (const text of texts.filter((candidate) => Number.isFinite(Number(candidate)))) {
          expect(readNumber(text, false)).toBe(Number(text));
          expect(readNumber(text.replace(".", ","), true)).toBe(Number(text));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("equals Number() for every decimal text and is NaN for every other text", () => {
    const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
    const text = fc.string({ unit: fc.constantFrom(..."0123456789.-+eE,xXn_ "), maxLength: 12 });
    fc.assert(
      fc.property(text, (candidate) => {
        const expected = decimal.test(candidate) ? Number(candidate) : Number.NaN;
        expect(readNumber(candidate, false)).toBe(Number.isFinite(expected) ? expected : Number.NaN);
      }),
      { numRuns: 5000 },
    );
  });

  it.each(["1", "-1.5", "+2", ".5", "5.", "1e5", "1E-3", "007", "-0", "12345678901234567890"])(
    "takes %s",
    (text) => {
      expect(readNumber(text, false)).toBe(Number(text));
    },
  );

  it.each([
    ["", "not_a_number"],
    ["abc", "not_a_number"],
    ["1 2", "not_a_number"],
    ["12%", "number_with_unit"],
    ["-", "not_a_number"],
    [".", "not_a_number"],
    ["1e", "not_a_number"],
    ["1_000", "not_a_number"],
    ["١٢", "not_a_number"],
    ["NaN", "not_finite"],
    ["nan", "not_finite"],
    ["Inf", "not_finite"],
    ["-Infinity", "not_finite"],
    ["1e400", "number_out_of_range"],
    ["-1e309", "number_out_of_range"],
    ["0x1F", "hexadecimal_number"],
    ["0b11", "hexadecimal_number"],
    ["1,5", "digit_grouping"],
    ["1,234.5", "digit_grouping"],
    ["1 234", "digit_grouping"],
  ])("rejects %j as %s", (text, code) => {
    expect(readNumber(text, false)).toBeNaN();
    expect(explainNotANumber(text, false).code).toBe(code);
  });

  it.each([
    ["(1,234.50)", "a minus sign in place of the parentheses"],
    ["\u22121.5", "a hyphen as minus sign"],
  ])("asks for %s to be written with a plain minus sign, or for its format", (text, advice) => {
    const { code, reason } = explainNotANumber(text, false);
    expect(code).toBe("not_a_number");
    expect(reason).toContain(advice);
    expect(reason).toContain("numberFormats");
  });

  it.each(["(-5)", "(NaN)", "(0x1F)", "(Infinity)", "()", "("])(
    "does not take %s, which no format reads, for a negative number",
    (text) => {
      expect(explainNotANumber(text, false).reason).toBe("is not a number");
    },
  );

  it("reads the point as digit grouping if the comma is the decimal mark", () => {
    expect(readNumber("1,5", true)).toBe(1.5);
    expect(readNumber("1.5", true)).toBeNaN();
    expect(explainNotANumber("1.234,5", true).code).toBe("digit_grouping");
    expect(explainNotANumber("1e400", true).code).toBe("number_out_of_range");
  });
});
