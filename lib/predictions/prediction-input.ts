import type { z } from "zod";
import type { Cell } from "#lib/contract/predictions";

export type CellValue = z.infer<typeof Cell>;

/** Feature name → its values, one a row, as a caller sends them. */
export type PredictionInput = Record<string, CellValue[]>;
