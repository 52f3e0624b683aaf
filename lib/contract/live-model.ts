import { z } from "zod";

export const LiveModelResponse = z
  .object({
    model: z
      .string()
      .nullable()
      .describe(
        "Opaque model data in base64, readable only by this release's dashboard. `null` if only the service can predict the scenario: for imported models, for scenarios above the limits of previews, and above 16 MiB.",
      ),
  })
  .meta({
    id: "LiveModel",
    description: "Model, input rows and predictions of a scenario, with which a page predicts edits.",
  });
export type LiveModelResponse = z.infer<typeof LiveModelResponse>;
