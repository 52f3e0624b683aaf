import { z } from "zod";
import { optional } from "./common.ts";
import { limits } from "./limits.ts";
import { visibleLine } from "./visible-line.ts";

const descriptions = {
  displayName: "Name that the dashboard shows in place of the column's name.",
  unit: "Unit of the values. An empty text shows none, even if the dashboard proposes one.",
  decimals: "Number of decimals that the dashboard shows. Values stay unrounded.",
};

/** Display of one column in a request. An absent field follows the proposal (`propose-display.ts`). */
const PutColumnDisplay = z
  .strictObject({
    displayName: optional(visibleLine(1, limits.displayNameMax)).meta({
      description: descriptions.displayName,
    }),
    unit: optional(visibleLine(0, limits.unitMax)).meta({
      description: descriptions.unit,
      examples: ["MWh"],
    }),
    decimals: optional(z.number().int().min(0).max(limits.decimalsMax)).meta({
      description: descriptions.decimals,
    }),
  })
  .meta({ id: "PutColumnDisplay" });

export const PutDisplay = z
  .record(z.string().min(1).max(limits.columnNameMax), PutColumnDisplay)
  .refine((columns) => Object.keys(columns).length <= limits.displayedColumns, {
    message: `Use at most ${limits.displayedColumns} columns`,
  });
export type PutDisplay = z.infer<typeof PutDisplay>;

const ColumnDisplay = z
  .object({
    displayName: z.string().nullable().meta({ description: descriptions.displayName }),
    unit: z.string().nullable().meta({ description: descriptions.unit }),
    decimals: z.number().int().nullable().meta({ description: descriptions.decimals }),
  })
  .meta({ id: "ColumnDisplay" });

/** Displays by column name. Columns without an entry follow the proposal. */
export const Display = z.record(z.string(), ColumnDisplay);
export type Display = z.infer<typeof Display>;

/** Returns the entries that set anything, with null for absent fields. */
export const storedDisplay = (sent: PutDisplay): Display =>
  Object.fromEntries(
    Object.entries(sent).flatMap(([column, { displayName = null, unit = null, decimals = null }]) =>
      displayName === null && unit === null && decimals === null
        ? []
        : [[column, { displayName, unit, decimals }]],
    ),
  );
