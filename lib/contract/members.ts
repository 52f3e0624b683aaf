import { z } from "zod";
import { Id, Instant, optional, saysSomething } from "./common.ts";

export const Role = z.enum(["admin", "analyst"]);
export type Role = z.infer<typeof Role>;

export const Email = z.string().trim().toLowerCase().pipe(z.email().max(254));
export const Password = z.string().min(10, "Use at least 10 characters").max(128);

export const Member = z
  .object({
    id: z.string().meta({ description: "User identifier" }),
    name: z.string().meta({ description: "Name" }),
    email: z.string().meta({ description: "With which the member signs in" }),
    role: Role.meta({ description: "What the member may do" }),
    disabledAt: Instant.nullable().meta({
      description: "Since when the member may not sign in; null: may sign in",
    }),
    createdAt: Instant.meta({ description: "Creation time" }),
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof Member>;

const MemberName = z.string().trim().min(1).max(100).meta({ description: "Name" });

export const CreateMember = z.strictObject({
  name: MemberName,
  email: Email.meta({ description: "With which the member signs in" }),
  password: Password.meta({ description: "At least 10 characters" }),
  role: optional(Role).meta({ description: "`analyst` without it" }),
});
export type CreateMember = z.infer<typeof CreateMember>;

export const UpdateMember = z
  .strictObject({
    name: optional(MemberName),
    role: optional(Role).meta({ description: "What the member may do" }),
    password: optional(Password).meta({ description: "A new one ends the member's sessions" }),
    disabled: optional(z.boolean()).meta({
      description: "true signs the member out everywhere and refuses further sign-ins",
    }),
  })
  .refine(saysSomething, "Send at least one field to change");

export type UpdateMember = z.infer<typeof UpdateMember>;

export const FirstAdmin = z.strictObject({
  name: MemberName,
  email: Email.meta({ description: "With which the admin signs in" }),
  password: Password.meta({ description: "At least 10 characters" }),
});

/** Who is calling: a signed-in user, or a key, which acts for the user who created it. */
export const Me = z
  .object({
    kind: z.enum(["session", "api-key"]).meta({ description: "By what the caller is known" }),
    userId: z.string().meta({ description: "The user, for a key the one who created it" }),
    name: z.string().nullable().meta({ description: "null for a key" }),
    email: z.string().nullable().meta({ description: "null for a key" }),
    role: Role.nullable().meta({ description: "null for a key" }),
    apiKeyId: Id.nullable().meta({ description: "The key; null for a session" }),
    projectId: Id.nullable().meta({ description: "The key's project; null for a session" }),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof Me>;
