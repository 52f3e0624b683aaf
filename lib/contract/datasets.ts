import { z } from "zod";
import { hasAnyField, Id, Instant, optional } from "./common.ts";
import { limits } from "./limits.ts";

export const ColumnName = z.string().min(1).max(limits.columnNameMax);

export const ColumnTypeSchema = z.enum(["number", "category", "boolean", "timestamp"]);

const DatasetColumn = z
  .object({
    name: z.string().describe("Name in the header."),
    type: ColumnTypeSchema.describe("Type of the values."),
    role: z.enum(["input", "target", "timestamp", "excluded"]).describe("Role of the column in models."),
    min: z.number().nullable().describe("Minimum value. Epoch milliseconds for timestamps."),
    max: z.number().nullable().describe("Maximum value."),
    mean: z.number().nullable().describe("Mean value."),
    median: z.number().nullable().describe("Median value."),
    missing: z.number().int().describe("Number of cells without a value."),
    categories: z.array(z.string()).nullable().describe("Categories, most frequent first. At most 1,000."),
    histogram: z
      .array(z.number().int())
      .nullable()
      .describe(
        "Row counts in at most 20 equal bins from `min` to `max`. For whole numbers, each bin covers the same number of values. For categories, row counts of the first 20 categories.",
      ),
  })
  .meta({ id: "DatasetColumn" });

/** Figures behind a warning about columns that models should not use. */
const Evidence = z
  .object({
    formula: z.string().optional().describe("Sum or difference of columns that equals the target."),
    matchingRows: z.number().int().optional().describe("Number of rows in which it equals the target."),
    comparedRows: z.number().int().optional().describe("Number of rows compared."),
    r2: z
      .number()
      .optional()
      .describe(
        "R² of predictions from one column, or of the model, on rows that were not used for fitting.",
      ),
    distinct: z.number().int().optional().describe("Number of different values."),
    lastTimestamp: Instant.optional().describe("Time of the last row with a value."),
  })
  .meta({
    id: "Evidence",
    description: "Figures behind a warning about columns that models should not use.",
  });

export const Warning = z
  .object({
    code: z.string().describe("Machine-readable code of the warning, such as `outside_range`."),
    message: z.string().describe("Human-readable message."),
    column: z.string().nullish().describe("Column of the CSV or of the prediction input."),
    rows: z.number().int().nullish().describe("Number of rows that the warning is about."),
    columns: z
      .array(z.string())
      .optional()
      .describe(
        "Columns to exclude or to confirm together. Present for warnings about columns that models should not use.",
      ),
    evidence: Evidence.optional(),
    nearest: z.string().optional().describe("Nearest existing name, for an unknown column."),
    firstRow: z
      .number()
      .int()
      .optional()
      .describe(
        "First row with a value outside the training data, starting at 1. Present for warnings about such values.",
      ),
    range: z
      .object({
        least: z.number().describe("Minimum value of the input."),
        greatest: z.number().describe("Maximum value of the input."),
        trainedMin: z.number().describe("Minimum value of the training rows."),
        trainedMax: z.number().describe("Maximum value of the training rows."),
      })
      .optional()
      .describe("Value ranges of the input and of the training rows. Present for `outside_range`."),
  })
  .meta({ id: "Warning" });
export type Warning = z.infer<typeof Warning>;

export const NumberFormat = z
  .strictObject({
    column: ColumnName.describe("Name of the column."),
    unit: optional(z.string().trim().min(1).max(20).regex(/^\D*$/, "Use a unit without digits")).meta({
      description:
        "Currency, percent sign or unit before or after the numbers, which is removed: `5%` is read as 5. Cells without it are read too.",
      examples: ["$"],
    }),
    decimalMark: optional(z.enum([".", ","])).describe(
      "Decimal mark. Defaults to `.`, or to `,` if `groupMark` is `.`.",
    ),
    groupMark: optional(z.enum([".", ",", " ", "'"])).describe(
      "Mark between groups of three digits. A blank stands for every kind of space.",
    ),
  })
  .refine(({ decimalMark, groupMark }) => decimalMark === undefined || decimalMark !== groupMark, {
    message: "decimalMark and groupMark must differ",
    path: ["groupMark"],
  })
  .meta({ id: "PutNumberFormat" });
export type NumberFormat = z.infer<typeof NumberFormat>;
/** A number format with all its fields. */
export const NumberFormatRule = z
  .object({
    column: z.string().describe("Name of the column."),
    unit: z
      .string()
      .nullable()
      .describe("Currency, percent sign or unit that is removed from the numbers: `5%` is read as 5."),
    decimalMark: z.enum([".", ","]).describe("Decimal mark."),
    groupMark: z
      .enum([".", ",", " ", "'"])
      .nullable()
      .describe("Mark between groups of three digits. A blank stands for every kind of space."),
  })
  .meta({ id: "NumberFormat" });
export type NumberFormatRule = z.infer<typeof NumberFormatRule>;

const MissingText = z.string().trim().min(1).max(100);
const DateOrder = z.enum(["month-first", "day-first"]);

const Calendar = z.enum(["business", "all-days"]);

export const Resample = z
  .strictObject({
    frequency: z
      .string()
      .regex(
        /^P([1-9]\d{0,3}[DWMY]|T[1-9]\d{0,4}[HMS])$/,
        "Use a duration of one unit such as PT15M, PT1H, P1D, P7D or P1M",
      )
      .meta({
        description: "Interval between the resulting rows, as an ISO 8601 duration.",
        examples: ["PT1H"],
      }),
    statistic: z
      .enum(["sum", "mean", "last"])
      .describe(
        "Statistic of the target's values in each step. Other numbers take the mean, or with `last` the last value. Categories, booleans and dates take the last value.",
      ),
  })
  .meta({ id: "Resample" });
export type Resample = z.infer<typeof Resample>;

export const Dataset = z
  .object({
    id: Id.describe("Unique identifier of this version of the dataset."),
    fileName: z.string().nullable().describe("Original file name."),
    rowCount: z.number().int().describe("Number of rows, excluding the header."),
    columns: z.array(DatasetColumn).describe("Columns, in the order of the file."),
    target: z.string().describe("Name of the column that models predict."),
    timestamp: z
      .array(z.string())
      .nullable()
      .describe("Name of the timestamp column, or names of two columns that are joined."),
    timezone: z.string().describe("IANA time zone of times without a zone."),
    missing: z
      .array(z.string())
      .describe("Cell texts that mean a missing value, in addition to the empty cell."),
    confirmed: z
      .array(z.string())
      .describe(
        "Names of input columns that are known before the target. Warnings that suspect only these columns are omitted.",
      ),
    numberFormats: z
      .array(NumberFormatRule)
      .describe(
        "Formats of columns whose numbers have a currency, a percent sign, a unit, digit grouping or their own decimal mark.",
      ),
    dateOrder: DateOrder.nullable().describe(
      "Order in which dates such as 3/4/2024 are read. `null` if the data has no such dates.",
    ),
    frequency: z
      .string()
      .nullable()
      .meta({ description: "Interval between rows, as an ISO 8601 duration.", examples: ["PT1H"] }),
    calendar: z
      .enum(["business"])
      .nullable()
      .describe(
        "`business` for daily data without rows on Saturdays and Sundays: forecasts then have none either. Otherwise `null`.",
      ),
    calendarOption: Calendar.nullable().describe(
      "Calendar that the request set. `null` if the rows decided.",
    ),
    resample: Resample.nullable().describe(
      "Steps into which the rows of the file were joined. `null` if the rows are those of the file.",
    ),
    monthDay: z
      .number()
      .int()
      .nullable()
      .describe(
        "Day of the month of every row, 31 for the month's last day. `null` unless rows are months apart.",
      ),
    firstTimestamp: Instant.nullable().describe("Time of the first row."),
    lastTimestamp: Instant.nullable().describe("Time of the last row."),
    warnings: z.array(Warning).describe("Warnings that do not prevent the use of the data."),
    createdAt: Instant.describe("Time at which this version was created."),
    createdBy: z
      .string()
      .describe(
        "ID of the user who made this version: uploaded the file, appended rows or changed settings.",
      ),
  })
  .meta({ id: "Dataset" });
export type Dataset = z.infer<typeof Dataset>;

/** File in base64. The handler decodes it strictly and limits its size. An empty file is an invalid CSV. */
export const FileData = z.string().describe("File in base64, at most 64 MiB decoded.");
export const FileName = z.string().max(limits.fileNameMax).describe("Original file name.");
/** ID of a larger file that was uploaded before. */
export const UploadId = Id.describe("ID of an upload, in place of `fileData`.");

type FileSource = { fileData?: string | undefined; uploadId?: string | undefined };

/** Arguments of `refine` for a body with a file: it sends exactly one of the two fields. */
export const oneSource: [(body: FileSource) => boolean, { message: string; path: string[] }] = [
  (body) => (body.fileData === undefined) !== (body.uploadId === undefined),
  { message: "Send exactly one of fileData and uploadId", path: ["fileData"] },
];

const Exclude = z.array(ColumnName).max(10_000).describe("Names of columns that models do not use.");
const Confirmed = z
  .array(ColumnName)
  .max(10_000)
  .describe("Names of input columns that are known before the target, although a warning suspects them.");

export const PutDataset = z
  .strictObject({
    fileData: optional(FileData),
    uploadId: optional(UploadId),
    fileName: optional(FileName),
    target: ColumnName.describe(
      "Name of the column that models predict. Its values must be numbers, or two classes: booleans or two texts.",
    ),
    timestamp: optional(z.union([ColumnName, z.array(ColumnName).min(1).max(2)])).describe(
      "Name of the timestamp column, or names of two columns to join: date and hour.",
    ),
    exclude: optional(Exclude),
    confirmed: optional(Confirmed),
    categories: optional(z.array(ColumnName).max(10_000)).describe("Names of columns to read as categories."),
    timezone: optional(z.string().max(64)).describe(
      "IANA time zone of times without a zone. Defaults to UTC.",
    ),
    missing: optional(z.array(MissingText).max(100)).meta({
      description:
        "Cell texts that mean a missing value, in addition to the empty cell. Exact, without surrounding white space.",
      examples: [["NA", "N/A", "?"]],
    }),
    numberFormats: optional(z.array(NumberFormat).max(10_000)).describe(
      "Formats of columns whose numbers have a currency, a percent sign, a unit, digit grouping or their own decimal mark. Parentheses mean a negative number. Scenarios and predictions of the project's checkpoints are read the same way.",
    ),
    dateOrder: optional(DateOrder).describe(
      "Order in which dates such as 3/4/2024 are read. Defaults to the order that the rows show.",
    ),
    calendar: optional(Calendar).describe(
      "Days of daily rows: `business` for Monday to Friday, `all-days` for every day. Defaults to the days that the rows show.",
    ),
    resample: optional(Resample).describe(
      "Joins the rows of each step into one row, for irregular or repeated times. Appended rows are joined the same way.",
    ),
  })
  .refine(...oneSource);
export type PutDataset = z.infer<typeof PutDataset>;

export const UpdateDataset = z
  .strictObject({
    target: optional(ColumnName).describe(
      "Name of the column that models predict. The previous target becomes an input.",
    ),
    exclude: optional(Exclude).describe(
      "Names of all columns that models do not use. The list replaces the previous one.",
    ),
    confirmed: optional(Confirmed).describe(
      "Names of all input columns that are known before the target, although a warning suspects them. The list replaces the previous one.",
    ),
  })
  .refine(hasAnyField, "Send at least one field to change");
export type UpdateDataset = z.infer<typeof UpdateDataset>;

export const AppendRows = z
  .strictObject({
    fileData: optional(FileData),
    uploadId: optional(UploadId),
    fileName: optional(FileName),
  })
  .refine(...oneSource);
export type AppendRows = z.infer<typeof AppendRows>;

export const Upload = z
  .object({
    uploadId: Id.describe("ID of the upload, to send in place of `fileData`."),
    bytes: z.number().int().describe("Size of the stored file in bytes."),
  })
  .meta({ id: "Upload" });
