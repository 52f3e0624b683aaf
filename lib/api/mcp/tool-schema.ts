import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

type Arguments = Record<string, unknown>;

/**
 * Returns the schema of a tool's arguments. It only describes them, and rejects names that it does not know: the operation
 * validates the values. Numbers of a query arrive there as text, so its schema cannot check arguments.
 */
export function argumentSchema(
  fields: Record<string, z.ZodType>,
): StandardSchemaWithJSON<Arguments, Arguments> {
  const described = z.toJSONSchema(z.strictObject(fields), {
    io: "input",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      // As in the OpenAPI document: the schema of a query's integer describes a number.
      const { override } = (z.globalRegistry.get(zodSchema) ?? {}) as {
        override?: (of: { jsonSchema: object }) => void;
      };
      override?.({ jsonSchema });
      Reflect.deleteProperty(jsonSchema, "override");
    },
  }) as Record<string, unknown>;
  const known = Object.keys(fields);
  return {
    "~standard": {
      version: 1,
      vendor: "service",
      validate(value) {
        const given = (value ?? {}) as Arguments;
        const unknown = Object.keys(given).filter((name) => !known.includes(name));
        if (unknown.length === 0) return { value: given };
        const message = `Unknown arguments: ${unknown.join(", ")}. Known are ${known.join(", ") || "none"}.`;
        return { issues: [{ message }] };
      },
      jsonSchema: { input: () => described, output: () => described },
    },
  };
}
