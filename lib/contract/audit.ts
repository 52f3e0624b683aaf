import { z } from "zod";
import { Id, Instant, ListQuery, repeatable } from "./common.ts";

export const AuditEntityType = z.enum([
  "project",
  "dataset",
  "model",
  "checkpoint",
  "scenario",
  "comparison",
  "job",
  "api-key",
  "member",
]);
export type AuditEntityType = z.infer<typeof AuditEntityType>;

export const AuditQuery = ListQuery.extend({
  entityType: repeatable(AuditEntityType)
    .optional()
    .describe("Returns only entries about entities of this type. Can be repeated."),
  actorId: z.string().max(100).optional().describe("Returns only actions of this user."),
});

export const AuditEntry = z
  .object({
    id: Id.describe("Unique identifier of the audit entry."),
    at: Instant.describe("Time of the action."),
    projectId: Id.nullable().describe("ID of the project. `null` for actions on members."),
    projectName: z
      .string()
      .nullable()
      .describe("Name of the project. `null` for actions on members and for deleted projects."),
    actorId: z.string().describe("ID of the user who performed the action."),
    actorName: z
      .string()
      .nullable()
      .describe("Name of the user who performed the action. `null` for a former member."),
    apiKeyId: Id.nullable().describe("ID of the API key that was used. `null` for a session."),
    action: z.string().meta({ description: "Action that was performed.", examples: ["checkpoint.created"] }),
    entityType: AuditEntityType.describe("Type of the entity that the action affected."),
    entityId: z.string().describe("ID of the entity that the action affected."),
    label: z.string().nullable().describe("Label of the entity at the time of the action."),
    requestId: z
      .string()
      .nullable()
      .describe("`X-Request-Id` of the request that performed or started the action."),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;
