import fc from "fast-check";
import { expect, test } from "vitest";
import { countWork } from "#testing/count-work";
import { CsvReader } from "./csv-reader.ts";

// The time to read a file grows with its length alone, for any content. Otherwise a small file could hold up a
// process that many projects share.

/** Signs that the readers treat in a way of their own. */
const signs = fc.constantFrom(
  ...[
    '"',
    '""',
    ",",
    ";",
    "\t",
    "|",
    "\n",
    "\r",
    "\r\n",
    " ",
    "\u00a0",
    "x",
    "é",
    "1",
    "-",
    ".",
    "e5",
    "%",
    "€",
    ":",
  ],
  ...["2024-01-02", "3/4/2024 5:06 PM", "1,234.5", "NaN", "true", "sep=;\n", '"\n', '","', '"x', 'x"'],
);
const part = fc.array(signs, { minLength: 1, maxLength: 6 }).map((some) => some.join(""));
const heads = fc.constantFrom("", "a\n", "a,b\n", 'a;"b"\r\n', "a\r", "a,b\n1,2\n", "time,y\n2024-01-01,1\n");

const file = fc.record({ head: heads, part, tail: fc.constantFrom("", '"', "\n", "x") });
type FileKind = { head: string; part: string; tail: string };

const fileOf = ({ head, part: repeated, tail }: FileKind, bytes: number) =>
  Buffer.from(head + repeated.repeat(Math.ceil(bytes / Buffer.byteLength(repeated))) + tail);

function read(bytes: Uint8Array): void {
  const reader = new CsvReader({ timestamp: "time" });
  for (let from = 0; from < bytes.length && !reader.failed; from += 65_536)
    reader.push(bytes.subarray(from, from + 65_536));
  reader.finish();
}

/**
 * A file is read in pieces of a quarter million characters. Reading text again with each piece takes more than four times
 * the work for four times the length.
 */
const ratioMax = 4.5;

/** Repetitions that were expensive before. */
const examples: [FileKind][] = ['"', '"a"\n', '""","', '"a";"b",c;', "x"].map((part) => [
  { head: "a\n", part, tail: "" },
]);

test("reads a file four times as long with about four times the work, for any content", {
  // Counting takes about a second for each file.
  timeout: 120_000,
}, () => {
  const property = fc.property(file, (kind) => {
    const [short, long] = [500_000, 2_000_000].map((bytes) => {
      const content = fileOf(kind, bytes);
      return countWork(() => read(content));
    });
    expect(long! / short!, JSON.stringify(kind)).toBeLessThan(ratioMax);
  });
  fc.assert(property, { numRuns: 12, examples });
});
