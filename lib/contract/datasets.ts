import { z } from "zod";
import { Id, Instant, optional } from "./common.ts";
import { DateRule } from "./date-rule.ts";
import { limits } from "./limits.ts";
import { Reading } from "./reading.ts";
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

export const DateOrder = z.enum(["month-first", "day-first"]);

export const Calendar = z.enum(["business", "all-days"]);

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
