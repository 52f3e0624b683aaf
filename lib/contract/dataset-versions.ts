import { z } from "zod";
import { AuditChange } from "./audit.ts";
import { Id, Instant, optional, queryInteger } from "./common.ts";
import { limits } from "./limits.ts";

/** Changes that make a version of a dataset. */
export const datasetChanges = ["replaced", "appended", "settings", "restored", "corrected"] as const;
export type DatasetChange = (typeof datasetChanges)[number];

export const DatasetVersion = z
  .object({
    id: Id.describe("Unique identifier of the version."),
    createdAt: Instant.describe("Time at which the version was created."),
    createdBy: z.string().describe("User identifier of the creator."),
    change: z
      .enum(datasetChanges)
      .describe(
        "Change that made the version: a file that replaced the rows, appended rows, other settings, a restored version, or corrected rows.",
      ),
    rowCount: z.number().int().describe("Number of rows."),
    fileName: z.string().nullable().describe("Original file name."),
  })
  .meta({ id: "DatasetVersion" });
export type DatasetVersion = z.infer<typeof DatasetVersion>;

export const VersionChangesQuery = z.object({
  sinceId: Id.optional().describe("ID of the version to compare with. Defaults to the version before."),
});

/** Value of a row as the API shows it: times in ISO 8601, null if missing. */
export const RowValue = z.union([z.number(), z.string(), z.boolean(), z.null()]);
export type RowValue = z.infer<typeof RowValue>;

const used = (what: string) => z.number().int().describe(`Number of removed rows that the ${what}.`);

export const DatasetChanges = z
  .object({
    versionId: Id.describe("ID of the version."),
    sinceId: Id.nullable().describe(
      "ID of the version that it is compared with. `null` for the first version.",
    ),
    rowCount: z
      .object({
        before: z.number().int().describe("Number of rows before."),
        after: z.number().int().describe("Number of rows of this version."),
        added: z.number().int().describe("Number of rows that only this version has."),
        removed: z.number().int().describe("Number of rows that only the version before has."),
        changed: z
          .number()
          .int()
          .describe(
            "Number of rows of the same series and time, or at the same place without a timestamp, with other values.",
          ),
      })
      .describe("Numbers of rows."),
    rows: z
      .array(
        z.object({
          kind: z.enum(["added", "removed", "changed"]).describe("Difference of the row."),
          row: z
            .number()
            .int()
            .describe("Row number, starting at 1; of a removed row in the version before."),
          timestamp: Instant.nullable().describe("Time of the row. `null` without a timestamp."),
          series: z
            .record(z.string(), z.string())
            .optional()
            .describe("Values of the series columns. Absent for one series."),
          values: z
            .array(
              z.object({
                column: z.string().describe("Name of the column."),
                before: RowValue.describe("Value before. `null` for an added row."),
                after: RowValue.describe("Value of this version. `null` for a removed row."),
              }),
            )
            .describe("Values that differ, in at most 20 columns."),
        }),
      )
      .describe("The first rows of each kind, at most 50."),
    columns: z
      .object({
        added: z.array(z.string()).describe("Columns that only this version has, or has with another type."),
        removed: z
          .array(z.string())
          .describe("Columns that only the version before has, or has with another type."),
      })
      .describe("Columns that only one version has."),
    settings: z.array(AuditChange).describe("Settings that differ."),
    models: z
      .array(
        z.object({
          id: Id.describe("ID of the model."),
          modelName: z.string().describe("Name of the model."),
          trainedAt: Instant.describe("Time of the training."),
          rows: used("model was trained on"),
        }),
      )
      .describe("Models that were trained on removed rows, newest first."),
    scenarios: z
      .array(
        z.object({
          id: Id.describe("ID of the scenario."),
          title: z.string().describe("Title of the scenario."),
          rows: used("scenario's predictions are compared with"),
        }),
      )
      .describe("Scenarios whose period contains removed rows, newest first. At most 100."),
  })
  .meta({ id: "DatasetChanges", description: "Differences between two versions of a dataset." });
export type DatasetChanges = z.infer<typeof DatasetChanges>;

export const DatasetRowsQuery = z.object({
  limit: queryInteger(1, 200).optional().describe("Maximum number of rows to return. Defaults to 50."),
  offset: queryInteger(0, 1_000_000_000).optional().describe("Number of rows to skip. Defaults to 0."),
});

export const DatasetRows = z
  .object({
    versionId: Id.describe("ID of the version of the dataset."),
    rowCount: z.number().int().describe("Total number of rows."),
    rows: z
      .array(
        z.object({
          row: z.number().int().describe("Row number, starting at 1."),
          timestamp: Instant.nullable().describe("Time of the row. `null` without a timestamp."),
          values: z
            .record(z.string(), RowValue)
            .describe("Column → value. Times are in ISO 8601. `null` means missing."),
        }),
      )
      .describe(
        "Rows, in order of time, or of the file without a timestamp. Rows of many series are ordered by series, then time.",
      ),
  })
  .meta({ id: "DatasetRows", description: "Rows of the current version of a dataset." });
export type DatasetRows = z.infer<typeof DatasetRows>;

const RowNumber = z.number().int().min(1).max(1_000_000_000);

export const CorrectRows = z
  .strictObject({
    set: optional(
      z
        .array(
          z.strictObject({
            row: RowNumber.describe("Row number, starting at 1."),
            values: z
              .record(
                z.string().max(limits.columnNameMax),
                z.union([z.number(), z.string().max(10_000), z.boolean(), z.null()]),
              )
              .refine((values) => Object.keys(values).length > 0, "Send at least one value")
              .describe(
                "Column → new value. Texts are read as in appended rows; numbers are taken as they are. `null` means missing. Other columns stay.",
              ),
          }),
        )
        .max(1_000),
    ).describe("Rows to correct."),
    delete: optional(z.array(RowNumber).max(10_000)).describe("Numbers of rows to delete."),
    versionId: optional(Id).describe(
      "Version whose rows have these numbers: `versionId` of the rows that were read. Nothing is corrected if another version is current by now.",
    ),
  })
  .refine(
    ({ set, delete: rows }) => (set?.length ?? 0) + (rows?.length ?? 0) > 0,
    "Send at least one row in set or delete",
  );
export type CorrectRows = z.infer<typeof CorrectRows>;
