import { z } from "zod";
import { hasAnyField, Id, Instant, optional } from "./common.ts";
import { visibleLine } from "./visible-line.ts";

export const Role = z.enum(["admin", "analyst"]);
export type Role = z.infer<typeof Role>;

export const Email = z.string().trim().toLowerCase().pipe(z.email().max(254));
export const Password = z.string().min(10, "Use at least 10 characters").max(128);

export const Member = z
  .object({
    id: z.string().describe("User identifier."),
    name: z.string().describe("Name of the member."),
    email: z
      .string()
      .nullable()
      .describe("Email address with which the member signs in. `null` for callers who are not admins."),
    role: Role.describe(
      "Role of the member. `admin` permits everything. `analyst` permits data, models, checkpoints, scenarios and jobs.",
    ),
    disabledAt: Instant.nullable().describe(
      "Time at which the member was disabled. `null` if the member can sign in.",
    ),
    createdAt: Instant.describe("Time of creation."),
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof Member>;

/** A member in a list, with the number of keys that outlive the member. */
export const ListedMember = Member.extend({
  activeApiKeys: z
    .number()
    .int()
    .nullable()
    .describe(
      "Number of valid API keys that the member created, over all projects. `null` for callers who are not admins.",
    ),
}).meta({ id: "ListedMember" });
export type ListedMember = z.infer<typeof ListedMember>;

export const DeleteMemberQuery = z.strictObject({
  revokeApiKeys: optional(z.enum(["true", "false"])).describe(
    "`true` also revokes the member's API keys in all projects. Defaults to `false`.",
  ),
});

export const MemberName = visibleLine(1, 100).describe("Name of the member.");

export const CreateMember = z.strictObject({
  name: MemberName,
  email: Email.describe("Email address with which the member signs in."),
  password: Password.describe("Password of at least 10 characters."),
  role: optional(Role).describe("Role of the member. Defaults to `analyst`."),
  invite: optional(z.boolean()).describe(
    "`true` mails the member a link to choose another password, valid for 7 days. So `password` may be random and unknown to everyone. Needs a service that sends mail. Defaults to `false`.",
  ),
});
export type CreateMember = z.infer<typeof CreateMember>;

export const UpdateMember = z
  .strictObject({
    name: optional(MemberName),
    role: optional(Role).describe("New role of the member."),
    password: optional(Password).describe(
      "New password of another member. Ends the member's sessions and known devices.",
    ),
    disabled: optional(z.boolean()).describe(
      "`true` ends the member's sessions and rejects further sign-ins.",
    ),
  })
  .refine(hasAnyField, "Send at least one field to change");

export type UpdateMember = z.infer<typeof UpdateMember>;

export const FirstAdmin = z.strictObject({
  name: MemberName,
  email: Email.describe("Email address with which the admin signs in."),
  password: Password.describe("Password of at least 10 characters."),
});

/** The caller: a signed-in user, or an API key, which acts on behalf of the user who created it. */
export const Me = z
  .object({
    kind: z.enum(["session", "api-key"]).describe("Kind of credentials that the caller used."),
    userId: z.string().describe("ID of the user. For an API key: the user who created the key."),
    name: z.string().nullable().describe("Name of the user. `null` for an API key."),
    email: z.string().nullable().describe("Email address of the user. `null` for an API key."),
    role: Role.nullable().describe("Role of the user. `null` for an API key."),
    apiKeyId: Id.nullable().describe("ID of the API key. `null` for a session."),
    projectId: Id.nullable().describe("ID of the key's project. `null` for a session."),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof Me>;
