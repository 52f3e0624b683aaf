import { z } from "zod";

const Bytes = z.number().int().nonnegative();

export const ProjectSpace = z
  .object({
    bytes: Bytes.describe("Bytes that the project has in store."),
    limitBytes: Bytes.describe("Most bytes that the project may have in store."),
    byKind: z
      .object({
        models: Bytes.describe("Bytes of all models, including former ones."),
        checkpoints: Bytes.describe("Bytes of all checkpoints."),
        datasets: Bytes.describe(
          "Bytes of the versions of the dataset. Rows that versions share count once.",
        ),
        scenarios: Bytes.describe("Bytes of the inputs and predictions of all scenarios."),
        uploads: Bytes.describe("Bytes of uploads of the last 24 hours, used or not."),
        beingWritten: Bytes.describe("Bytes reserved by uploads and jobs that are storing files now."),
      })
      .describe("The same bytes by what they are stored for."),
    openUploads: z
      .object({
        count: Bytes.describe("Number of uploads that are not yet used, including those still arriving."),
        limitCount: Bytes.describe("Most uploads that may be open at a time."),
        bytes: Bytes.describe("Bytes of these uploads."),
        limitBytes: Bytes.describe("Most bytes that open uploads may have together."),
      })
      .describe("Uploads that no dataset, scenario or import has used yet."),
  })
  .meta({ id: "ProjectSpace" });
export type ProjectSpace = z.infer<typeof ProjectSpace>;
