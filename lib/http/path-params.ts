import { z } from "zod";
import { type ErrorCode, errorCodes } from "#lib/contract/error-codes";
import { DomainError } from "#lib/errors/domain-error";

/** An id in a path. A malformed one is answered like an unknown one, so its fault is the not-found code itself. */
const pathId = (notFound: ErrorCode, description: string) =>
  z.guid({ error: notFound }).toLowerCase().meta({ description });

const projectId = pathId("project_not_found", "The project");

export const ProjectPath = z.object({ projectId });
export const CheckpointPath = z.object({
  projectId,
  checkpointId: pathId("checkpoint_not_found", "The checkpoint"),
});
export const ScenarioPath = z.object({
  projectId,
  scenarioId: pathId("scenario_not_found", "The scenario"),
});
export const ModelPath = z.object({ projectId, modelId: pathId("model_not_found", "The model") });
export const ApiKeyPath = z.object({ projectId, keyId: pathId("api_key_not_found", "The API key") });
export const JobPath = z.object({ jobId: pathId("job_not_found", "The job") });
/** Users' ids are not GUIDs. */
export const MemberPath = z.object({
  userId: z
    .string({ error: "member_not_found" })
    .max(100, "member_not_found")
    .meta({ description: "The user" }),
});

/** @throws {DomainError} the not-found code of the first id that is malformed, the project before what is in it */
export function parsePath<T extends z.ZodType>(schema: T, params: unknown): z.output<T> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const code = parsed.error.issues[0]?.message ?? "";
  throw notFound(Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : "not_found");
}

/** What a caller hears of anything that does not exist for it, whatever the reason. */
export function notFound(code: ErrorCode): DomainError {
  return new DomainError(code, errorCodes[code][1]);
}
