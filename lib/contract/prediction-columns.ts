import { z } from "zod";

const textMax = 10_000;

const Cell = z.union([z.number(), z.string().max(textMax), z.boolean(), z.null()]);
/** A value as a caller sends it. JSON can write 1e400, which is read as infinite: it is refused with its row and column. */
export type Cell = z.infer<typeof Cell>;

/** Feature name → its values, one a row, as a caller sends them. */
export type PredictionColumns = Record<string, Cell[]>;

const { $schema, ...document } = z.toJSONSchema(z.record(z.string(), z.array(Cell)));

/** Not a record of zod: that leaves out a column called `__proto__`, and takes several times as long. */
export const PredictionColumns = z
  .unknown()
  .meta({ ...document, description: "Feature name → its values, one a row" })
  .transform((value, { issues }): PredictionColumns => {
    if (value === null || typeof value !== "object" || Array.isArray(value)) {
      const message = "Send an object: feature name → its values";
      issues.push({ code: "invalid_type", expected: "record", input: value, message });
      return z.NEVER;
    }
    for (const [name, cells] of Object.entries(value)) {
      if (!Array.isArray(cells)) {
        const message = "Send an array of values, one a row";
        issues.push({ code: "invalid_type", expected: "array", input: cells, path: [name], message });
        continue;
      }
      cells.forEach((cell: unknown, row) => {
        if (isCell(cell)) return;
        const message = `Send a number, a text of at most ${textMax} characters, true, false or null`;
        issues.push({ code: "invalid_type", expected: "number", input: cell, path: [name, row], message });
      });
    }
    return value as PredictionColumns;
  });

function isCell(value: unknown): boolean {
  if (typeof value === "string") return value.length <= textMax;
  return value === null || typeof value === "number" || typeof value === "boolean";
}
