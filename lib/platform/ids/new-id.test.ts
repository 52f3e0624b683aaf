import { describe, expect, it } from "vitest";
import { z } from "zod";
import { idTime, newId } from "./new-id.ts";

describe("newId", () => {
  it("is a GUID of version 7 that contains its creation time", () => {
    const before = Date.now();
    const id = newId();
    expect(z.uuidv7().safeParse(id).success).toBe(true);
    expect(idTime(id)).toBeGreaterThanOrEqual(before);
    expect(idTime(id)).toBeLessThanOrEqual(Date.now());
  });

  it("never returns the same ID twice", () => {
    expect(new Set(Array.from({ length: 10_000 }, newId)).size).toBe(10_000);
  });
});
