import { z } from "zod";
import { hasAnyField, Id, Instant, optional } from "./common.ts";
import { DateRule } from "./date-rule.ts";
import { limits } from "./limits.ts";
import { ColumnFormats, Reading, Shape, TimeFormatName } from "./reading.ts";
import { Warning } from "./warnings.ts";

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
    dateRule: DateRule.optional().describe(
      "Rule by which the values follow from the date of the row. Absent for other columns, and for older datasets.",
    ),
  })
  .meta({ id: "DatasetColumn" });

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

const DatasetSeries = z
  .object({
    columns: z.array(z.string()).describe("Names of the series columns, whose values name a series."),
    count: z.number().int().describe("Number of series."),
    levels: z
      .array(
        z.object({
          name: z.string().describe("Name of the level: `Total`, or its columns."),
          columns: z.array(z.string()).describe("Columns whose values form the groups. Empty for the total."),
          count: z.number().int().describe("Number of groups."),
          within: z
            .array(z.string())
            .optional()
            .describe(
              "Other columns whose value each group determines. For example, `region` for the level of the stores. Absent in datasets of earlier versions.",
            ),
        }),
      )
      .describe(
        "Levels of totals: the total, each series column, other columns of texts that are constant within each series, and all series columns together.",
      ),
    minRows: z.number().int().describe("Number of rows of the shortest series."),
    maxRows: z.number().int().describe("Number of rows of the longest series."),
    ended: z
      .number()
      .int()
      .describe("Number of series whose last target is more than one forecast horizon before the newest."),
    short: z
      .number()
      .int()
      .describe("Number of series with fewer than 10 targets. They are predicted from the others."),
  })
  .meta({ id: "DatasetSeries", description: "Series of a dataset." });
export type DatasetSeries = z.infer<typeof DatasetSeries>;

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
      .describe("Name of the timestamp column, or names of up to four columns that are joined."),
    series: DatasetSeries.nullable().describe("Series of the rows. `null` if the rows are one series."),
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
    reading: Reading.nullable().describe(
      "How the file was read. `null` for datasets that are older than this field.",
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
    lastTargetTimestamp: Instant.nullable().describe(
      "Time of the last row with a value of the target. Generated input starts one step later.",
    ),
    plannedRows: z
      .number()
      .int()
      .describe(
        "Number of rows after `lastTargetTimestamp`. They have no target: their inputs are plans, which generated input uses.",
      ),
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

const SeriesColumns = z
  .array(ColumnName)
  .min(1)
  .max(limits.seriesColumns)
  .meta({
    description:
      "Names of the columns whose values name the series of a row. Each series then has each time once. They are read as categories.",
    examples: [["store", "item"]],
  });

const ShapeRequest = Shape.extend({
  valueName: optional(Shape.shape.valueName).describe(
    "Name of the column that the values become. Default `value`.",
  ),
}).meta({
  id: "ShapeRequest",
  description: "Shape of a table with times as columns, as a request chooses it.",
});

export const PutDataset = z
  .strictObject({
    fileData: optional(FileData),
    uploadId: optional(UploadId),
    fileName: optional(FileName),
    target: ColumnName.describe(
      "Name of the column that models predict. Its values must be numbers, or two classes: booleans or two texts.",
    ),
    timestamp: optional(z.union([ColumnName, z.array(ColumnName).min(1).max(4)])).describe(
      "Name of the timestamp column, or names of up to four columns to join, in any order: date and hour; or year and quarter, month or week; or year, month, day and hour. They are stored in the order named here. `null` keeps the order of the rows.",
    ),
    series: optional(SeriesColumns),
    timestampFormat: optional(TimeFormatName).describe(
      "Format of the times. Defaults to the only format that fits every row. If several fit, the request is rejected with each of them.",
    ),
    columnFormats: optional(ColumnFormats).describe(
      "Formats of other columns by name, where several fit. Times take the names of `timestampFormat`.",
    ),
    exclude: optional(Exclude),
    confirmed: optional(Confirmed),
    categories: optional(z.array(ColumnName).max(10_000)).describe("Names of columns to read as categories."),
    sheet: optional(z.string().min(1).max(100)).meta({
      description: "Name of the sheet of an Excel workbook. Defaults to the first one that is not hidden.",
      examples: ["Sales"],
    }),
    shape: optional(ShapeRequest),
    headerRow: optional(z.number().int().min(1).max(1_000)).describe(
      "Line of the header. 1 is the first line, and the default. Lines above it are ignored.",
    ),
    encoding: optional(z.string().max(40)).meta({
      description:
        "Encoding of the file, such as `windows-1252` or `shift_jis`. Defaults to the one that the first mebibyte shows. A byte order mark decides.",
      examples: ["windows-1252"],
    }),
    skipRows: optional(z.array(z.number().int().min(1)).max(10_000)).describe(
      "Rows to leave out, such as a total or notes: numbers of rows after the header, starting at 1.",
    ),
    timezone: optional(z.string().max(64)).describe(
      "IANA time zone of times without a zone. Defaults to UTC.",
    ),
    missing: optional(z.array(MissingText).max(100)).meta({
      description:
        "Cell texts that mean a missing value, in addition to the empty cell. Exact, without surrounding white space. In columns of numbers, a number is compared by its value.",
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

/** Explains why a stored dataset is not read in another way: the service keeps its values, but not its file. */
const rereadMessage =
  "Send the file again with PUT to read it in another way. The service does not keep the file";

export const UpdateDataset = z
  .strictObject(
    {
      target: optional(ColumnName).describe(
        "Name of the column that models predict. The previous target becomes an input.",
      ),
      series: optional(SeriesColumns),
      exclude: optional(Exclude).describe(
        "Names of all columns that models do not use. The list replaces the previous one.",
      ),
      confirmed: optional(Confirmed).describe(
        "Names of all input columns that are known before the target, although a warning suspects them. The list replaces the previous one.",
      ),
    },
    {
      error: ({ code, keys }) =>
        code === "unrecognized_keys" &&
        (keys as string[]).every((key) => Object.hasOwn(PutDataset.shape, key))
          ? rereadMessage
          : undefined,
    },
  )
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
