import { z } from "zod";
import { hasAnyField, Id, optional } from "./common.ts";
import { Calendar, ColumnName, DateOrder, NumberFormat, Resample } from "./datasets.ts";
import { limits } from "./limits.ts";
import { ColumnFormats, Shape, TimeFormatName } from "./reading.ts";

const MissingText = z.string().trim().min(1).max(100);

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

/** Describes a reading option of a change, which only states what is stored. */
const asStored = <T extends z.ZodType>(option: T) =>
  option.describe(
    "The stored value. Another one returns `input_invalid`: to read the file in another way, send it again with `PUT`.",
  );

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
      timestamp: asStored(PutDataset.shape.timestamp),
      timestampFormat: asStored(PutDataset.shape.timestampFormat),
      columnFormats: asStored(PutDataset.shape.columnFormats),
      sheet: asStored(PutDataset.shape.sheet),
      shape: asStored(PutDataset.shape.shape),
      headerRow: asStored(PutDataset.shape.headerRow),
      encoding: asStored(PutDataset.shape.encoding),
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
