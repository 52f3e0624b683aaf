import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { seriesId } from "./series-id.ts";

const projectId = "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f";

it("is a GUID of version 5 that depends on the project and the values, not on the order of the columns", () => {
  const id = seriesId(projectId, ["store", "item"], ["A", "7"]);
  expect(z.uuid({ version: "v5" }).safeParse(id).success).toBe(true);
  expect(seriesId(projectId, ["item", "store"], ["7", "A"])).toBe(id);
  expect(seriesId(projectId, ["store", "item"], ["7", "A"])).not.toBe(id);
  expect(seriesId(projectId.replace("0", "1"), ["store", "item"], ["A", "7"])).not.toBe(id);
});

it("differs for different values, also with quotes and brackets", () => {
  const values = fc.tuple(fc.string(), fc.string());
  fc.assert(
    fc.property(values, values, (one, other) => {
      const [a, b] = [one, other].map((some) => seriesId(projectId, ["a", "b"], some));
      expect(a === b).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
  );
});
