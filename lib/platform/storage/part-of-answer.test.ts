import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { onlyPart } from "./part-of-answer.ts";

test("returns only the requested part of a larger response", async () => {
  const content = Uint8Array.from({ length: 60 }, (_, at) => at);
  const place = fc.nat({ max: 59 });
  await fc.assert(
    fc.asyncProperty(
      place,
      place,
      place,
      place,
      fc.integer({ min: 1, max: 20 }),
      async (a, b, c, d, size) => {
        const [first, start, last, end] = [a, b, c, d].sort((x, y) => x - y) as [
          number,
          number,
          number,
          number,
        ];
        const range = { start, end: last + 1 };
        const chunks = (from: number, to: number) =>
          Readable.from(
            Array.from({ length: Math.ceil((to - from) / size) }, (_, at) =>
              content.slice(from + at * size, Math.min(to, from + (at + 1) * size)),
            ),
          );
        const expected = Buffer.from(content.subarray(start, last + 1));
        const more = onlyPart(chunks(first, end + 1), range, `bytes ${first}-${end}/60`);
        expect(await buffer(more)).toEqual(expected);
        expect(await buffer(onlyPart(chunks(0, 60), range, undefined))).toEqual(expected);
        const exact = onlyPart(chunks(start, last + 1), range, `bytes ${start}-${last}/60`);
        expect(await buffer(exact)).toEqual(expected);
      },
    ),
  );
});
