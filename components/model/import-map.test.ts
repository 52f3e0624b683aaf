import { describe, expect, it } from "vitest";
import { readInputMap } from "./import-map.ts";

describe("readInputMap", () => {
  it("reads one feature per line, with an optional type and model input", () => {
    expect(readInputMap("temperature\n\n weekday : category \nhumidity: number = input_3\n").inputs).toEqual([
      { feature: "temperature" },
      { feature: "weekday", type: "category" },
      { feature: "humidity", type: "number", input: "input_3" },
    ]);
  });

  it("keeps the whole name of a model input with an equals sign", () => {
    expect(readInputMap("monday = weekday=1").inputs).toEqual([{ feature: "monday", input: "weekday=1" }]);
  });

  it("reports the invalid line", () => {
    expect(readInputMap("a\nb: colour").message).toBe(
      "Line 2 has no valid type after the colon. Use one of number, category, boolean, timestamp.",
    );
    expect(readInputMap(": number").message).toBe(
      'Line 1 has no feature name. Write the feature first, such as "temperature: number".',
    );
  });

  it("returns no inputs for an empty text", () => {
    expect(readInputMap(" \n").inputs).toEqual([]);
  });
});
