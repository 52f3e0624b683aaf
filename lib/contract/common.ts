import { z } from "zod";
import { type ErrorCode, errorCodes } from "./error-codes.ts";
import "./issue-messages.ts";
import { limits } from "./limits.ts";

/** GUIDs of any version. */
export const Id = z.guid().meta({ description: "GUID", examples: ["0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f"] });

/** An instant: ISO 8601 in UTC with `Z`. */
export const Instant = z.iso
  .datetime()
  .meta({ description: "ISO 8601, UTC", examples: ["2026-01-31T00:00:00.000Z"] });

/** Other years have no ISO 8601 text of four digits, and PostgreSQL knows no year 0. */
const inKnownYears = (text: string) => {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
};
const yearFault = {
  error: "Name a time in the years 1 to 9999",
  // Of what is no time at all there is nothing more to say.
  when: ({ issues }: { issues: unknown[] }) => issues.length === 0,
};

/** A date or an instant as callers may write it; a missing zone means UTC. */
export const DateOrInstant = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
    error: "Write a date such as 2026-02-14, or a time such as 2026-02-14T06:00:00Z",
  })
  .refine(inKnownYears, yearFault)
  .meta({
    description: "ISO 8601 date or date and time; UTC where no zone is given",
    examples: ["2026-02-14"],
  });

/** An instant as callers may write it, with its zone. */
export const InstantWithZone = z.iso.datetime({ offset: true }).refine(inKnownYears, yearFault);

/**
 * A field of a request that may be left out, for which null stands as well: in every body alike. Only where null says
 * something of its own, as the description's in a change, is a field `nullish`. Our own code leaves it out, so that the
 * type knows no null.
 */
export const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().overwrite((value) => value ?? undefined) as unknown as z.ZodOptional<T>;

/** Whether a change says anything at all. */
export const saysSomething = (body: object) => Object.values(body).some((value) => value !== undefined);

export const ErrorDetailSchema = z
  .object({
    field: z
      .string()
      .optional()
      .meta({ description: "Of the body or the query, with dots: `adjustments.0.value`" }),
    row: z.number().int().nullish().meta({ description: "From 1, the header not counted" }),
    column: z.string().nullish().meta({ description: "Of the CSV or the input" }),
    value: z.string().nullish().meta({ description: "What stood there, shortened" }),
    expected: z.string().optional().meta({ description: "What should have stood there" }),
    nearest: z.string().optional().meta({ description: "For a name that is not there: the nearest one" }),
    id: z
      .string()
      .optional()
      .meta({ description: "Of the project, checkpoint, scenario or job that it is about" }),
    projectId: z
      .string()
      .optional()
      .meta({ description: "Of what has this id, where it may be of another project" }),
    code: z.string().optional().meta({ description: "What is wrong here, finer than the error's own code" }),
    message: z.string().meta({ description: "For a person to read" }),
  })
  .meta({ id: "ErrorDetail" });

export const ErrorBody = z
  .object({
    success: z.literal(false).meta({ description: "false: nothing was done" }),
    error: z
      .object({
        code: z
          .enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]])
          .meta({ description: "For a program to act on: one of a closed set" }),
        message: z
          .string()
          .meta({ description: "For a person: what was wrong, where, and what to do about it" }),
        details: z
          .array(ErrorDetailSchema)
          .optional()
          .meta({ description: "Every place that is at fault, at most 100, then how many more" }),
        requestId: z.string().meta({ description: "As in the header `X-Request-Id`" }),
      })
      .meta({ description: "What was wrong" }),
  })
  .meta({ id: "Failure" });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** What a request that starts background work answers. */
export const Accepted = z
  .object({
    message: z.string().meta({ description: "What was begun, for a person to read" }),
    checkpointId: Id.optional().meta({ description: "The checkpoint that it is about" }),
    scenarioId: Id.optional().meta({ description: "The scenario that it is about" }),
    projectId: Id.optional().meta({ description: "The project that it is about" }),
    jobId: Id.meta({ description: "The job that does it" }),
  })
  .meta({ id: "Accepted" });

export const Color = z
  .string()
  .regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, "Write a hex colour such as #3498db or #39d")
  .meta({ description: "Hex colour, `#rgb` or `#rrggbb`", examples: ["#3498db"] });

export const Description = z.string().max(limits.descriptionMax);

/** In a query numbers are texts; whoever reads the document sees the number. */
const queryInteger = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/, `Write a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().int().min(min).max(max))
    .meta({
      override: ({ jsonSchema }) => describeAs(jsonSchema, { type: "integer", minimum: min, maximum: max }),
    });

export const ListQuery = z.object({
  limit: queryInteger(1, limits.listMax).optional().meta({ description: "How many at most" }),
  cursor: z
    .string()
    .max(500)
    .optional()
    .meta({ description: "Where to go on: from the header `Link` of the page before" }),
});

/** A parameter of a query that may come once or several times; always an array for its reader. */
const repeatable = <T extends z.ZodType>(item: T) =>
  z.union([item.transform((value) => [value]), z.array(item)]).meta({
    override: ({ jsonSchema }) => describeAs(jsonSchema, { type: "array", items: jsonSchema.anyOf?.[0] }),
  });

function describeAs(jsonSchema: object, described: object): void {
  for (const name of ["type", "pattern", "anyOf"] as const) Reflect.deleteProperty(jsonSchema, name);
  Object.assign(jsonSchema, described);
}

export { queryInteger, repeatable };
