import { describe, expect, it } from "vitest";
import { fieldsOf, typeText } from "./schema-text.ts";

const nullable = (type: string) => ({ anyOf: [{ type }, { type: "null" }] });

describe("typeText", () => {
  it("describes types in words", () => {
    expect(typeText({ type: "array", items: { $ref: "#/components/schemas/Scenario" } })).toBe(
      "array of Scenario",
    );
    expect(typeText({ anyOf: [{ type: "string", format: "uuid" }, { type: "null" }] })).toBe("GUID or null");
    expect(typeText({ enum: ["a", "b"] })).toBe('"a" | "b"');
    const text = { type: "string" };
    expect(typeText({ anyOf: [{ anyOf: [text, { type: "string", format: "date" }] }, text] })).toBe(
      "string or date",
    );
    expect(
      typeText({ type: "object", additionalProperties: { type: "array", items: nullable("number") } }),
    ).toBe("map of array of (number or null)");
  });
});

describe("fieldsOf", () => {
  it("lists fields of nested objects, also in lists and nullable values", () => {
    const fields = fieldsOf({
      type: "object",
      required: ["steps"],
      properties: {
        steps: {
          type: "array",
          items: { type: "object", required: ["op"], properties: { op: { type: "string" } } },
        },
        window: { anyOf: [{ type: "object", properties: { size: { type: "integer" } } }, { type: "null" }] },
      },
    });
    expect(fields.map(({ name, required }) => [name, required])).toEqual([
      ["steps", true],
      ["steps[].op", true],
      ["window", false],
      ["window.size", false],
    ]);
  });

  it("states limits once", () => {
    const properties = {
      label: { type: "string", minLength: 2, maxLength: 100, description: "2-100 characters, unique" },
      limit: { type: "integer", minimum: 1, maximum: 200 },
      rows: { type: "integer", minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    };
    expect(fieldsOf({ properties }).map(({ description }) => description)).toEqual([
      "2-100 characters, unique",
      "1–200",
      "",
    ]);
  });
});
