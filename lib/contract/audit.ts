import { z } from "zod";
import { Id, Instant, ListQuery, repeatable } from "./common.ts";

export const AuditEntityType = z.enum([
  "project",
  "dataset",
  "model",
  "checkpoint",
  "scenario",
  "job",
  "api-key",
  "member",
]);
export type AuditEntityType = z.infer<typeof AuditEntityType>;

export const AuditQuery = ListQuery.extend({
  entityType: repeatable(AuditEntityType).optional(),
  actorId: z.string().max(100).optional(),
});

export const AuditEntry = z
  .object({
    id: Id,
    at: Instant,
    projectId: Id.nullable().meta({ description: "null where it concerns no project: members" }),
    projectName: z.string().nullable().meta({ description: "null also for a project that is gone" }),
    actorId: z.string(),
    actorName: z.string().nullable().meta({ description: "null for a former member" }),
    apiKeyId: Id.nullable().meta({ description: "The key that was used; null for a session" }),
    action: z.string().meta({ example: "checkpoint.created" }),
    entityType: AuditEntityType,
    entityId: z.string(),
    label: z.string().nullable(),
    requestId: z.string().nullable(),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;
