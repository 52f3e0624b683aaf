import { z } from "zod";
import { type ErrorCode, errorCodes } from "./error-codes.ts";
import { limits } from "./limits.ts";

/** GUIDs of any version. */
export const Id = z.guid().meta({ description: "GUID", examples: ["0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f"] });

/** An instant: ISO 8601 in UTC with `Z`. */
export const Instant = z.iso
  .datetime()
  .meta({ description: "ISO 8601, UTC", examples: ["2026-01-31T00:00:00.000Z"] });

/** A date or an instant as callers may write it; a missing zone means UTC. */
export const DateOrInstant = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]).meta({
  description: "ISO 8601 date or date and time; UTC where no zone is given",
  examples: ["2026-02-14"],
});

export const ErrorDetailSchema = z
  .object({
    field: z.string().optional(),
    row: z.number().int().nullish().meta({ description: "From 1, the header not counted" }),
    column: z.string().nullish(),
    value: z.string().nullish(),
    expected: z.string().optional(),
    nearest: z.string().optional().meta({ description: "For a name that is not there: the nearest one" }),
    id: z.string().optional(),
    code: z.string().optional(),
    message: z.string(),
  })
  .meta({ id: "ErrorDetail" });

export const ErrorBody = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      details: z.array(ErrorDetailSchema).optional(),
      requestId: z.string(),
    }),
  })
  .meta({ id: "Error" });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** What a request that starts background work answers. */
export const Accepted = z
  .object({
    message: z.string(),
    checkpointId: Id.optional(),
    scenarioId: Id.optional(),
    projectId: Id.optional(),
    jobId: Id,
  })
  .meta({ id: "Accepted" });

export const Color = z
  .string()
  .regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, "Write a hex colour such as #3498db or #39d")
  .meta({ description: "Hex colour, `#rgb` or `#rrggbb`", examples: ["#3498db"] });

export const Description = z.string().max(limits.descriptionMax);

const queryInteger = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/, `Write a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().int().min(min).max(max));

export const ListQuery = z.object({
  limit: queryInteger(1, limits.listMax).optional(),
  cursor: z.string().max(500).optional(),
});

/** A parameter of a query that may come once or several times; always an array for its reader. */
const repeatable = <T extends z.ZodType>(item: T) =>
  z.union([item.transform((value) => [value]), z.array(item)]);

export { queryInteger, repeatable };
