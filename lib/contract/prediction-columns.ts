import { z } from "zod";

const textMax = 10_000;

const Cell = z.union([z.number(), z.string().max(textMax), z.boolean(), z.null()]);
/**
 * A value as a caller sends it. What is of no feature's type is refused with its row and column, as any value of the wrong
 * type: an array, an object, and 1e400, which is read as infinite.
 */
export type Cell = z.infer<typeof Cell> | object;

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
        if (typeof cell !== "string" || cell.length <= textMax) return;
        const origin = "string" as const;
        issues.push({ code: "too_big", origin, maximum: textMax, input: cell, path: [name, row] });
      });
    }
    return value as PredictionColumns;
  });
