import fc from "fast-check";
import { expect, test } from "vitest";
import { sortFloats } from "./sort-floats.ts";

test("sorts like Array.sort and drops NaN: signs, zeros, denormals, infinities", () => {
  const special = fc.constantFrom(0, -0, 1e-45, -1e-45, Infinity, -Infinity, Number.NaN, 3.4e38, -3.4e38);
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.float(), special), { maxLength: 300 }), (values) => {
      const column = Float32Array.from([7, ...values]).subarray(1);
      expect(sortFloats(column)).toEqual(column.filter((x) => !Number.isNaN(x)).sort());
    }),
  );
});
