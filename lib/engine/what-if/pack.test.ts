import fc from "fast-check";
import { expect, test } from "vitest";
import { pack, unpack } from "./pack.ts";

const array = fc.oneof(
  fc.float64Array(),
  fc.float32Array(),
  fc.int32Array(),
  fc.uint32Array(),
  fc.int16Array(),
  fc.uint16Array(),
  fc.int8Array(),
  fc.uint8Array(),
);
/** Plain data, without −0, which JSON does not keep, and without the one key that marks an array. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    array,
    fc.string({ unit: "grapheme" }),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((key) => key !== "$array" && key !== "__proto__"),
      tie("value"),
      { maxKeys: 4 },
    ),
  ),
}));

test("unpacks what it has packed", () => {
  fc.assert(
    fc.property(value, (one) => {
      // A view of a part of a larger array is packed alone.
      const given = { one, part: Float64Array.of(1, 2, 3).subarray(1), absent: undefined };
      expect(unpack(pack(given).buffer)).toEqual({ one, part: Float64Array.of(2, 3) });
    }),
  );
});

test("rejects numbers that JSON does not have", () => {
  for (const number of [Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => pack({ list: [{ number }] })).toThrow(new RangeError(`number is ${number}.`));
});
