import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encode } from "#testing/write-dialect";
import { LineCounter } from "./count-lines.ts";

describe("LineCounter", () => {
  it("counts non-blank lines in any encoding and for any split of the bytes", () => {
    const line = fc.constantFrom("a,b", "ĊĢ∢,1", '"x\ny",2', '"a""\n",2', '5" pipe,1', 'a ""b"",2', "", " ");
    const newline = fc.constantFrom("\n", "\r\n", "\r");
    const encoding = fc.constantFrom("utf-8", "utf-16le", "utf-16be");
    fc.assert(
      fc.property(
        fc.array(line),
        newline,
        encoding,
        fc.integer({ min: 1, max: 7 }),
        (lines, end, how, step) => {
          const bytes = encode(lines.join(end), how);
          const counter = new LineCounter();
          for (let from = how === "utf-8" ? 0 : 2; from < bytes.length; from += step)
            counter.push(bytes.subarray(from, from + step), how);
          expect(counter.count).toBe(lines.filter((text) => text.trim() !== "").length);
        },
      ),
    );
  });
});
