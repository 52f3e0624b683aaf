import { z } from "zod";
import { Id, Instant } from "./common.ts";

export const Role = z.enum(["admin", "analyst"]);
export type Role = z.infer<typeof Role>;

export const Email = z.string().trim().toLowerCase().pipe(z.email().max(254));
export const Password = z.string().min(10, "Use at least 10 characters").max(128);

export const Member = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role: Role,
    disabledAt: Instant.nullable().meta({
      description: "Since when the member may not sign in; null: may sign in",
    }),
    createdAt: Instant,
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof Member>;

export const CreateMember = z.strictObject({
  name: z.string().trim().min(1).max(100),
  email: Email,
  password: Password,
  role: Role.optional(),
});
export type CreateMember = z.infer<typeof CreateMember>;

export const UpdateMember = z
  .strictObject({
    name: z.string().trim().min(1).max(100).optional(),
    role: Role.optional(),
    password: Password.optional(),
    disabled: z
      .boolean()
      .optional()
      .meta({ description: "true signs the member out everywhere and refuses further sign-ins" }),
  })
  .refine((body) => Object.keys(body).length > 0, "Send at least one field to change");

export type UpdateMember = z.infer<typeof UpdateMember>;

export const FirstAdmin = z.strictObject({
  name: z.string().trim().min(1).max(100),
  email: Email,
  password: Password,
});

/** Who is calling: a signed-in user, or a key, which acts for the user who created it. */
export const Me = z
  .object({
    kind: z.enum(["session", "api-key"]),
    userId: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    role: Role.nullable().meta({ description: "null for a key" }),
    apiKeyId: Id.nullable(),
    projectId: Id.nullable().meta({ description: "The key's project; null for a session" }),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof Me>;
