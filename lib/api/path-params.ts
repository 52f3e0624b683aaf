import { z } from "zod";

const pathId = (description: string) => z.guid().toLowerCase().describe(description);

const projectId = pathId("ID of the project.");

export const ProjectPath = z.object({ projectId });
export const CheckpointPath = z.object({ projectId, checkpointId: pathId("ID of the checkpoint.") });
export const ScenarioPath = z.object({ projectId, scenarioId: pathId("ID of the scenario.") });
export const OverridePath = ScenarioPath.extend({ overrideId: pathId("ID of the override.") });
export const ProjectOverridePath = OverridePath.omit({ scenarioId: true });
export const ComparisonPath = z.object({
  projectId,
  comparisonId: pathId("ID of the saved comparison."),
});
export const UploadPath = z.object({ projectId, uploadId: pathId("ID of the upload.") });
export const VersionPath = z.object({ projectId, versionId: pathId("ID of the version of the dataset.") });
export const ModelPath = z.object({ projectId, modelId: pathId("ID of the model.") });
export const ApiKeyPath = z.object({ projectId, keyId: pathId("ID of the API key.") });
export const WebhookPath = z.object({ projectId, webhookId: pathId("ID of the webhook.") });
export const DeliveryPath = WebhookPath.extend({ deliveryId: pathId("ID of the delivery.") });
export const ProjectDeliveryPath = DeliveryPath.omit({ webhookId: true });
export const JobPath = z.object({ jobId: pathId("ID of the job.") });
/** Not every user ID is a GUID, for example `system`. */
const userId = z
  .string()
  .regex(/^[\w-]{1,100}$/)
  .describe("ID of the user.");
export const MemberPath = z.object({ userId });
export const ProjectMemberPath = z.object({ projectId, userId });

/** ID that no resource has. */
const unknownId = "00000000-0000-0000-0000-000000000000";

/**
 * Parses the IDs of a path. A malformed ID must return the same response as an unknown ID, so it is replaced by an
 * unknown ID here. Later code cannot distinguish the two.
 */
export function parsePath<T extends z.ZodType>(schema: T, params: unknown): z.output<T> {
  const { data, error } = schema.safeParse(params);
  if (error === undefined) return data;
  const malformed = error.issues.map(({ path: [name] }) => [name, unknownId]);
  return schema.parse({ ...(params as object), ...Object.fromEntries(malformed) });
}
