import { z } from "zod";
import { Id, Instant, optional } from "./common.ts";
import { limits } from "./limits.ts";

export const ColumnTypeSchema = z.enum(["number", "category", "boolean", "timestamp"]);

export const DatasetColumn = z
  .object({
    name: z.string().meta({ description: "Name in the header" }),
    type: ColumnTypeSchema.meta({ description: "What its values are" }),
    role: z
      .enum(["input", "target", "timestamp", "excluded"])
      .meta({ description: "What models make of it" }),
    min: z.number().nullable().meta({ description: "Least value; epoch milliseconds for timestamps" }),
    max: z.number().nullable().meta({ description: "Greatest value" }),
    mean: z.number().nullable().meta({ description: "Mean value" }),
    median: z.number().nullable().meta({ description: "Median value" }),
    missing: z.number().int().meta({ description: "Cells without a value" }),
    categories: z.array(z.string()).nullable().meta({ description: "Most frequent first, at most 1,000" }),
    histogram: z
      .array(z.number().int())
      .nullable()
      .meta({ description: "Counts in 20 equal bins from min to max; of categories those of the first 20" }),
  })
  .meta({ id: "DatasetColumn" });

export const Warning = z
  .object({
    code: z.string().meta({ description: "What it warns of, such as `outside_range`" }),
    message: z.string().meta({ description: "For a person to read" }),
    column: z.string().nullish().meta({ description: "Of the CSV or the input" }),
    rows: z.number().int().nullish().meta({ description: "How many rows it concerns" }),
    nearest: z.string().optional().meta({ description: "For an unknown column: the nearest name" }),
    firstRow: z.number().int().optional().meta({
      description: "For values outside of what the model was trained on: the first such row, from 1",
    }),
    range: z
      .object({
        least: z.number().meta({ description: "Least value of the input" }),
        greatest: z.number().meta({ description: "Greatest value of the input" }),
        trainedMin: z.number().meta({ description: "Least value of the training rows" }),
        trainedMax: z.number().meta({ description: "Greatest value of the training rows" }),
      })
      .optional()
      .meta({ description: "For `outside_range`" }),
  })
  .meta({ id: "Warning" });
export type Warning = z.infer<typeof Warning>;

export const Dataset = z
  .object({
    id: Id.meta({ description: "Identifier of this version of the data" }),
    fileName: z.string().nullable().meta({ description: "Original name of the file" }),
    rowCount: z.number().int().meta({ description: "Rows, the header not counted" }),
    columns: z.array(DatasetColumn).meta({ description: "In the order of the file" }),
    target: z.string().meta({ description: "Column that models predict" }),
    timestamp: z.array(z.string()).nullable().meta({ description: "One column, or two that are joined" }),
    timezone: z.string().meta({ description: "IANA zone of times that have none of their own" }),
    missing: z.array(z.string()).meta({ description: "Cells that mean missing, besides the empty one" }),
    dateOrder: z
      .enum(["month-first", "day-first"])
      .nullable()
      .meta({ description: "How dates such as 3/4/2024 are read; null where none was written so" }),
    frequency: z
      .string()
      .nullable()
      .meta({ description: "ISO 8601 duration", examples: ["PT1H"] }),
    firstTimestamp: Instant.nullable().meta({ description: "Time of the first row" }),
    lastTimestamp: Instant.nullable().meta({ description: "Time of the last row" }),
    warnings: z.array(Warning).meta({ description: "What does not stop the data from being used" }),
    createdAt: Instant.meta({ description: "When this version was made" }),
    createdBy: z.string().meta({ description: "User identifier of who put or appended it" }),
  })
  .meta({ id: "Dataset" });
export type Dataset = z.infer<typeof Dataset>;

const ColumnName = z.string().min(1).max(1_000);

/** Base64 of a file; decoded strictly by the handler, which also bounds its length. An empty file is a faulty CSV. */
export const FileData = z.string().meta({ description: "The file in base64, at most 64 MiB decoded" });
export const FileName = z.string().max(limits.fileNameMax).meta({ description: "Original file name" });
/** Of a larger file that was sent before. */
export const UploadId = Id.meta({ description: "An upload, in place of the file itself" });

const oneSource = (body: { fileData?: string | undefined; uploadId?: string | undefined }) =>
  (body.fileData === undefined) !== (body.uploadId === undefined);

export const PutDataset = z
  .strictObject({
    fileData: optional(FileData),
    uploadId: optional(UploadId),
    fileName: optional(FileName),
    target: ColumnName.meta({ description: "Column that models shall predict: of numbers" }),
    timestamp: optional(z.union([ColumnName, z.array(ColumnName).min(1).max(2)])).meta({
      description: "One column, or two to be joined: date and hour",
    }),
    exclude: optional(z.array(ColumnName).max(10_000)).meta({
      description: "Columns that no model shall use",
    }),
    categories: optional(z.array(ColumnName).max(10_000)).meta({
      description: "Columns to read as categories",
    }),
    timezone: optional(z.string().max(64)).meta({
      description: "IANA zone of times without one; UTC if none",
    }),
    missing: optional(z.array(z.enum(["NA", "NULL", "null"]))).meta({
      description: "Cells that mean missing",
    }),
  })
  .refine(oneSource, { message: "Send either fileData or uploadId", path: ["fileData"] });
export type PutDataset = z.infer<typeof PutDataset>;

export const AppendRows = z
  .strictObject({
    fileData: optional(FileData),
    uploadId: optional(UploadId),
    fileName: optional(FileName),
  })
  .refine(oneSource, { message: "Send either fileData or uploadId", path: ["fileData"] });
export type AppendRows = z.infer<typeof AppendRows>;

export const Upload = z
  .object({
    uploadId: Id.meta({ description: "To send in place of `fileData`" }),
    bytes: z.number().int().meta({ description: "Size as it was kept" }),
  })
  .meta({ id: "Upload" });
