import { describe, expect, it } from "vitest";
import { readInputMap } from "./import-map.ts";

describe("readInputMap", () => {
  it("reads a feature a line, with its type and its own input where they are named", () => {
    expect(readInputMap("temperature\n\n weekday : category \nhumidity: number = input_3\n").inputs).toEqual([
      { feature: "temperature" },
      { feature: "weekday", type: "category" },
      { feature: "humidity", type: "number", input: "input_3" },
    ]);
  });

  it("names the line that cannot be read", () => {
    expect(readInputMap("a\nb: colour").message).toBe(
      "Line 2: after the colon stands a type: number, category, boolean, timestamp.",
    );
    expect(readInputMap(": number").message).toBe("Line 1 names no feature.");
  });

  it("is empty for an empty text", () => {
    expect(readInputMap(" \n").inputs).toEqual([]);
  });
});
