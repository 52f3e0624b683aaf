import { z } from "zod";
import { Id, Instant } from "./common.ts";
import { limits } from "./limits.ts";

export const ColumnTypeSchema = z.enum(["number", "category", "boolean", "timestamp"]);

export const DatasetColumn = z
  .object({
    name: z.string(),
    type: ColumnTypeSchema,
    role: z.enum(["input", "target", "timestamp", "excluded"]),
    min: z.number().nullable().meta({ description: "Epoch milliseconds for timestamps" }),
    max: z.number().nullable(),
    mean: z.number().nullable(),
    median: z.number().nullable(),
    missing: z.number().int(),
    categories: z.array(z.string()).nullable().meta({ description: "Most frequent first, at most 1,000" }),
    histogram: z
      .array(z.number().int())
      .nullable()
      .meta({ description: "Counts in 20 equal bins from min to max" }),
  })
  .meta({ id: "DatasetColumn" });

export const Warning = z
  .object({
    code: z.string(),
    message: z.string(),
    column: z.string().nullish(),
    rows: z.number().int().nullish().meta({ description: "How many rows it concerns" }),
    nearest: z.string().optional().meta({ description: "For an unknown column: the nearest name" }),
  })
  .meta({ id: "Warning" });
export type Warning = z.infer<typeof Warning>;

export const Dataset = z
  .object({
    id: Id,
    fileName: z.string().nullable(),
    rowCount: z.number().int(),
    columns: z.array(DatasetColumn),
    target: z.string(),
    timestamp: z.array(z.string()).nullable().meta({ description: "One column, or two that are joined" }),
    timezone: z.string(),
    frequency: z
      .string()
      .nullable()
      .meta({ description: "ISO 8601 duration", examples: ["PT1H"] }),
    firstTimestamp: Instant.nullable(),
    lastTimestamp: Instant.nullable(),
    warnings: z.array(Warning),
    createdAt: Instant,
    createdBy: z.string(),
  })
  .meta({ id: "Dataset" });
export type Dataset = z.infer<typeof Dataset>;

const ColumnName = z.string().min(1).max(1_000);

/** Base64 of a file; decoded strictly by the handler, which also bounds its length. An empty file is a faulty CSV. */
export const FileData = z.string();
export const FileName = z.string().max(limits.fileNameMax);

const oneSource = (body: { fileData?: string | undefined; uploadId?: string | undefined }) =>
  (body.fileData === undefined) !== (body.uploadId === undefined);

export const PutDataset = z
  .strictObject({
    fileData: FileData.optional(),
    uploadId: Id.optional(),
    fileName: FileName.optional(),
    target: ColumnName,
    timestamp: z
      .union([ColumnName, z.array(ColumnName).min(1).max(2)])
      .nullish()
      .meta({ description: "One column, or two to be joined: date and hour" }),
    exclude: z.array(ColumnName).max(10_000).optional(),
    categories: z
      .array(ColumnName)
      .max(10_000)
      .optional()
      .meta({ description: "Columns to read as categories" }),
    timezone: z
      .string()
      .max(64)
      .optional()
      .meta({ description: "IANA zone of times without one; UTC if none" }),
    missing: z
      .array(z.enum(["NA", "NULL", "null"]))
      .optional()
      .meta({ description: "Cells that mean missing" }),
  })
  .refine(oneSource, { message: "Send either fileData or uploadId", path: ["fileData"] });
export type PutDataset = z.infer<typeof PutDataset>;

export const AppendRows = z
  .strictObject({ fileData: FileData.optional(), uploadId: Id.optional(), fileName: FileName.optional() })
  .refine(oneSource, { message: "Send either fileData or uploadId", path: ["fileData"] });
export type AppendRows = z.infer<typeof AppendRows>;

export const Upload = z.object({ uploadId: Id, bytes: z.number().int() }).meta({ id: "Upload" });
