import { z } from "zod";
import { type ErrorCode, errorCodes } from "./error-codes.ts";
import { inUtc } from "./instant.ts";
import { Choice } from "./reading.ts";
import "./issue-messages.ts";
import { limits } from "./limits.ts";

/** GUID of any version. */
export const Id = z.guid().meta({ description: "GUID.", examples: ["0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f"] });

/** Instant in ISO 8601, in UTC with `Z`. */
export const Instant = z.iso
  .datetime()
  .meta({ description: "ISO 8601 time in UTC.", examples: ["2026-01-31T00:00:00.000Z"] });

/** Accepts years 1 to 9999. ISO 8601 writes other years with more digits, and PostgreSQL has no year 0. */
const inKnownYears = (text: string) => {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
};
const yearIssue = {
  error: "Use a time in the years 1 to 9999",
  // A value that is not a time already has an issue.
  when: ({ issues }: { issues: unknown[] }) => issues.length === 0,
};

/** Date or instant in a request. A time without a zone is in UTC. */
export const DateOrInstant = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
    error: "Use a date such as 2026-02-14, or a time such as 2026-02-14T06:00:00Z",
  })
  .refine(inKnownYears, yearIssue)
  .meta({
    description: "ISO 8601 date, or date and time. UTC if no zone is given.",
    examples: ["2026-02-14"],
  });

/** The same in a request whose response repeats it, in UTC. */
export const RepeatedDateOrInstant = DateOrInstant.overwrite(inUtc);

/** Instant with a time zone in a request. */
export const InstantWithZone = z.iso.datetime({ offset: true }).refine(inKnownYears, yearIssue);

/**
 * Makes a field of a request optional. `null` means the same as an absent field, in every body. A field where `null`
 * has a separate meaning, such as `description` in an update, uses `nullish` instead. Handlers never see `null`: the
 * parsed value is `undefined`, and the type excludes `null`.
 */
export const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().overwrite((value) => value ?? undefined) as unknown as z.ZodOptional<T>;

/** Returns whether an update sets at least one field. */
export const hasAnyField = (body: object) => Object.values(body).some((value) => value !== undefined);

export const ErrorDetailSchema = z
  .object({
    field: z
      .string()
      .optional()
      .describe("Path of the field in the body or the query, with dots: `adjustments.0.value`."),
    row: z.number().int().nullish().describe("Row number, starting at 1 and excluding the header."),
    column: z.string().nullish().describe("Column of the CSV or of the prediction input."),
    value: z.string().nullish().describe("Invalid value, shortened."),
    expected: z.string().optional().describe("Expected value or type."),
    nearest: z.string().optional().describe("Nearest existing name, for an unknown name."),
    id: z
      .string()
      .optional()
      .describe("ID of the project, checkpoint, scenario or job that the issue is about."),
    projectId: z
      .string()
      .optional()
      .describe("ID of the project that `id` belongs to, if it may be another project."),
    code: z
      .string()
      .optional()
      .describe("Machine-readable code of this issue, more specific than the error's code."),
    message: z.string().describe("Human-readable message."),
    choices: z.array(Choice).optional().describe("Ways to read the file that remove the issue."),
  })
  .meta({ id: "ErrorDetail" });

export const ErrorBody = z
  .object({
    success: z.literal(false).describe("Always `false`: the request changed nothing."),
    error: z
      .object({
        code: z
          .enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]])
          .describe("Machine-readable code, one of a closed set."),
        message: z.string().describe("Human-readable message: the problem, its location and how to fix it."),
        details: z
          .array(ErrorDetailSchema)
          .optional()
          .describe("All issues found: at most 100, followed by the number of further issues."),
        requestId: z.string().describe("ID of the request, as in the header `X-Request-Id`."),
      })
      .describe("The error."),
  })
  .meta({ id: "Failure" });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** Response to a request that starts background work. */
export const Accepted = z
  .object({
    message: z.string().describe("Human-readable message: the action that was initiated."),
    checkpointId: Id.optional().describe("ID of the checkpoint that the job is about."),
    scenarioId: Id.optional().describe("ID of the scenario that the job is about."),
    projectId: Id.optional().describe("ID of the project that the job is about."),
    jobId: Id.describe("ID of the background job."),
  })
  .meta({ id: "Accepted" });

export const Color = z
  .string()
  .regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, "Use a hex colour such as #3498db or #39d")
  .meta({ description: "Hex colour, `#rgb` or `#rrggbb`.", examples: ["#3498db"] });

export const Description = z.string().max(limits.descriptionMax);

/** Integer in a query. The value arrives as text; the API reference shows an integer. */
const queryInteger = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/, `Use a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().int().min(min).max(max))
    .meta({
      override: ({ jsonSchema }) => describeAs(jsonSchema, { type: "integer", minimum: min, maximum: max }),
    });

export const ListQuery = z.object({
  limit: queryInteger(1, limits.listMax).optional().describe("Maximum number of items to return."),
  cursor: z
    .string()
    .max(500)
    .optional()
    .describe("Cursor of the next page, from the `Link` header of the previous page."),
});

/** Parameter of a query that may occur several times. The parsed value is always an array. */
const repeatable = <T extends z.ZodType>(item: T) =>
  z.union([item.transform((value) => [value]), z.array(item)]).meta({
    override: ({ jsonSchema }) => describeAs(jsonSchema, { type: "array", items: jsonSchema.anyOf?.[0] }),
  });

function describeAs(jsonSchema: object, described: object): void {
  for (const name of ["type", "pattern", "anyOf"] as const) Reflect.deleteProperty(jsonSchema, name);
  Object.assign(jsonSchema, described);
}

export { queryInteger, repeatable };
