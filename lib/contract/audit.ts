import { z } from "zod";
import { Id, Instant, ListQuery, repeatable } from "./common.ts";
import { limits } from "./limits.ts";

export const AuditEntityType = z.enum([
  "project",
  "dataset",
  "upload",
  "model",
  "checkpoint",
  "scenario",
  "comparison",
  "job",
  "api-key",
  "webhook",
  "member",
]);
export type AuditEntityType = z.infer<typeof AuditEntityType>;

export const AuditQuery = ListQuery.extend({
  entityType: repeatable(AuditEntityType)
    .optional()
    .describe("Returns only entries about entities of this type. Can be repeated."),
  actorId: z.string().max(100).optional().describe("Returns only actions of this user."),
});

const ChangedValue = z.union([z.string(), z.number(), z.boolean()]).nullable();

export const AuditChange = z
  .object({
    field: z.string().meta({
      description:
        "Name of the changed field. Fields within it follow after dots, such as `display.demand.unit`.",
      examples: ["title"],
    }),
    from: ChangedValue.describe(
      "Value before the change. `null` if there was none, and for secrets. Lists are joined by commas. Long texts are shortened to the part that differs.",
    ),
    to: ChangedValue.describe("Value after the change, in the same form."),
  })
  .meta({ id: "AuditChange" });
export type AuditChange = z.infer<typeof AuditChange>;

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
    changes: z
      .array(AuditChange)
      .nullable()
      .describe(
        `Changed fields, at most ${limits.auditedChanges}. \`null\` for actions that change no fields, and for entries of earlier versions.`,
      ),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;
