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
  entityType: repeatable(AuditEntityType)
    .optional()
    .meta({ description: "Only what concerns such things; may be repeated" }),
  actorId: z.string().max(100).optional().meta({ description: "Only what this user did" }),
});

export const AuditEntry = z
  .object({
    id: Id.meta({ description: "Entry identifier" }),
    at: Instant.meta({ description: "When it was done" }),
    projectId: Id.nullable().meta({ description: "null where it concerns no project: members" }),
    projectName: z.string().nullable().meta({ description: "null also for a project that is gone" }),
    actorId: z.string().meta({ description: "User identifier of who did it" }),
    actorName: z.string().nullable().meta({ description: "null for a former member" }),
    apiKeyId: Id.nullable().meta({ description: "The key that was used; null for a session" }),
    action: z.string().meta({ description: "What was done", examples: ["checkpoint.created"] }),
    entityType: AuditEntityType.meta({ description: "To what kind of thing" }),
    entityId: z.string().meta({ description: "To which of them" }),
    label: z.string().nullable().meta({ description: "What it was called then" }),
    requestId: z
      .string()
      .nullable()
      .meta({ description: "`X-Request-Id` of the request that did it or began it" }),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;
