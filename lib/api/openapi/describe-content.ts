import type { ZodOpenApiRequestBodyObject } from "zod-openapi";
import type { RawContent } from "#lib/api/route-declaration";

export type Content = ZodOpenApiRequestBodyObject["content"];
export type Examples = Record<string, { summary?: string; value: unknown }>;

const csv = { file: { value: "date,temp\n2026-02-01,12.5\n2026-02-02,9.1\n" } };

/** Describes bodies without the envelope. Text and files have no schema of their own. */
export function describeRaw(content: RawContent, examples: Examples): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, { description, schema }]) => {
      if (schema) return [type, { schema, examples }];
      const isText = type.startsWith("text/");
      return [
        type,
        {
          schema: { type: "string", description, ...(isText ? {} : { format: "binary" }) },
          ...(type === "text/csv" ? { examples: csv } : {}),
        },
      ];
    }),
  );
}
