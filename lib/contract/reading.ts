import { z } from "zod";

/** Names of the formats of times. The patterns are written as in `2024-01-31 14:05:00`: YYYY-MM-DD HH:MI:SS. */
export const TIME_FORMATS = [
  "iso",
  "month-day-year",
  "day-month-year",
  "YY-MM-DD",
  "month-year",
  "week-year",
  "month-name",
  "fiscal-year",
  "year",
  "decimal-year",
  "YYYYMM",
  "YYYYWW",
  "YYYYWW-US",
  "YYYYQ",
  "YYYYDDD",
  "YYYYMMDD",
  "DDMMYYYY",
  "MMDDYYYY",
  "YYYYMMDDHH",
  "YYYYMMDDHHMI",
  "YYYYMMDDHHMISS",
  "YYMM",
  "YYWW",
  "YYMMDD",
  "DDMMYY",
  "MMDDYY",
  "epoch-seconds",
  "epoch-milliseconds",
  "spreadsheet-days",
  "year+month",
  "year+quarter",
  "year+week",
  "year+week-US",
  "year+day-of-year",
  "year+month+day",
  "year+month+day+hour",
] as const;
export const TimeFormatName = z.enum(TIME_FORMATS);
export type TimeFormatName = z.infer<typeof TimeFormatName>;

/** Names of the formats of numbers and texts, for columns that may be read in several ways. */
const VALUE_FORMATS = [
  "decimal-point",
  "decimal-comma",
  "grouped-point",
  "grouped-comma",
  "magnitudes",
  "duration",
  "indian-grouping",
  "text",
] as const;
export const ColumnFormatName = z.enum([...VALUE_FORMATS, ...TIME_FORMATS]);
export type ColumnFormatName = z.infer<typeof ColumnFormatName>;
export const ColumnFormats = z.record(z.string().min(1).max(1_000), ColumnFormatName);

export const Shape = z
  .strictObject({
    kind: z.literal("wide").describe("Times as columns, which are turned into rows."),
    times: z
      .array(z.string().min(1).max(1_000))
      .min(1)
      .max(20_000)
      .describe("Names of the columns that are times. Files that are read later may have other ones."),
    valueName: z
      .string()
      .min(1)
      .max(1_000)
      .describe("Name of the column that the values of these columns become."),
  })
  .meta({
    id: "Shape",
    description:
      "Shape of a table with times as columns. Each row becomes one row for each time. The times become a column with the name in `timestamp` that the file does not have, or `time`.",
    examples: [{ kind: "wide", times: ["2024-01", "2024-02"], valueName: "sales" }],
  });
export type Shape = z.infer<typeof Shape>;

export const Reading = z
  .object({
    encoding: z.string().optional().describe("Encoding of the file, such as `windows-1252`."),
    headerRow: z.number().int().optional().describe("Line of the header. 1 is the first line."),
    sheet: z.string().optional().describe("Name of the sheet. Absent unless the file is a workbook."),
    shape: Shape.optional().describe("Columns that were turned into rows. Absent for other tables."),
    delimiter: z.string().describe("Character between the cells of a row."),
    decimalMark: z.enum([".", ","]).describe("Decimal mark of plain numbers."),
    timestampFormat: TimeFormatName.nullable().describe("Format of the times. `null` without a timestamp."),
    skipRows: z.array(z.number().int()).optional().describe("Rows of the file that were left out."),
    columnFormats: ColumnFormats.describe("Formats of other columns that were chosen or found, by column."),
  })
  .meta({
    id: "Reading",
    description: "How the file was read. Scenarios, predictions and appended rows are read the same way.",
  });
export type Reading = z.infer<typeof Reading>;

/** Media type of Excel workbooks. */
export const WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Media type of Parquet files. */
export const PARQUET_TYPE = "application/vnd.apache.parquet";

/** How files for a model without a dataset are read. */
export const plainReading: Reading = {
  delimiter: ",",
  decimalMark: ".",
  timestampFormat: null,
  columnFormats: {},
};

/** Reading options of a request that a choice sets. Lists and records are added to those of the request. */
const ChoiceOptions = z
  .looseObject({})
  .describe(
    "Options of the request that choose this reading. Lists and records are added to those that the request already has.",
  );

/** One way to read a file, with what it makes of real cells. */
export const Choice = z
  .object({
    label: z.string().describe("The choice in a few words, such as `Day first`."),
    options: ChoiceOptions,
    cells: z
      .array(
        z.object({
          row: z.number().int().nullable().describe("Row of the cell, starting at 1."),
          text: z.string().describe("Cell as written, shortened."),
          reading: z.string().describe("Value that this choice reads."),
        }),
      )
      .describe("Cells of the file, as this choice reads them."),
  })
  .meta({ id: "Choice", description: "One way to read a file, with the options that choose it." });
export type Choice = z.infer<typeof Choice>;
