import { expect, test } from "vitest";
import { bytesText } from "./bytes-text.ts";

test("writes a number of bytes with three digits and the largest unit that keeps it at least 1", () => {
  const cases: [number, string][] = [
    [0, "0 B"],
    [999, "999 B"],
    [1_500, "1.5 kB"],
    [999_600, "1 MB"],
    [2_147_483_648, "2.15 GB"],
    [20_000_000_000, "20 GB"],
    [3_000_000_000_000_000, "3,000 TB"],
  ];
  for (const [bytes, text] of cases) expect(bytesText(bytes)).toBe(text);
});
