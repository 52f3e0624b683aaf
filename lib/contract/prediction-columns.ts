import { z } from "zod";

const textMax = 10_000;

const Cell = z.union([z.number(), z.string().max(textMax), z.boolean(), z.null()]);
/**
 * Value as a caller sends it. A value that has no feature's type, such as an array, an object or 1e400 (which parses as
 * infinite), is rejected with its row and column, like any value of the wrong type.
 */
export type Cell = z.infer<typeof Cell> | object;

/** Feature name → values, one per row, as a caller sends them. */
export type PredictionColumns = Record<string, Cell[]>;

const { $schema, ...document } = z.toJSONSchema(z.record(z.string(), z.array(Cell)));

/** Not a zod record: a record drops a column called `__proto__`, and parses several times more slowly. */
export const PredictionColumns = z
  .unknown()
  .meta({ ...document, description: "Feature name → values, one per row." })
  .transform((value, { issues }): PredictionColumns => {
    if (value === null || typeof value !== "object" || Array.isArray(value)) {
      const message = "Send an object: feature name → values";
      issues.push({ code: "invalid_type", expected: "record", input: value, message });
      return z.NEVER;
    }
    for (const [name, cells] of Object.entries(value)) {
      if (!Array.isArray(cells)) {
        const message = "Send an array of values, one per row";
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
