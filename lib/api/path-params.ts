import { z } from "zod";

const pathId = (description: string) => z.guid().toLowerCase().meta({ description });

const projectId = pathId("The project");

export const ProjectPath = z.object({ projectId });
export const CheckpointPath = z.object({ projectId, checkpointId: pathId("The checkpoint") });
export const ScenarioPath = z.object({ projectId, scenarioId: pathId("The scenario") });
export const ModelPath = z.object({ projectId, modelId: pathId("The model") });
export const ApiKeyPath = z.object({ projectId, keyId: pathId("The API key") });
export const JobPath = z.object({ jobId: pathId("The job") });
/** Users' ids are letters and digits, not always GUIDs. */
export const MemberPath = z.object({
  userId: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .meta({ description: "The user" }),
});

/** An id that nothing has. */
const unknownId = "00000000-0000-0000-0000-000000000000";

/**
 * The ids of a path. Contract: "a malformed id in a path is answered like an unknown one", so it becomes one here, and
 * from here on nothing can tell them apart.
 */
export function parsePath<T extends z.ZodType>(schema: T, params: unknown): z.output<T> {
  const { data, error } = schema.safeParse(params);
  if (error === undefined) return data;
  const malformed = error.issues.map(({ path: [name] }) => [name, unknownId]);
  return schema.parse({ ...(params as object), ...Object.fromEntries(malformed) });
}
