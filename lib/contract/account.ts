import { z } from "zod";
import { Instant, optional } from "./common.ts";
import { Password } from "./members.ts";

/** A session of the caller. */
export const OwnSession = z
  .object({
    id: z.string().describe("Unique identifier of the session."),
    isCurrent: z.boolean().describe("Whether this session sent the request."),
    userAgent: z.string().nullable().describe("Header `User-Agent` of the sign-in. `null` if it had none."),
    address: z
      .string()
      .nullable()
      .describe("Network address of the last recorded use. `null` if it is unknown."),
    createdAt: Instant.describe("Time of the sign-in."),
    lastUsedAt: Instant.describe("Time of the last use, recorded every five minutes."),
    expiresAt: Instant.describe("Time at which the session expires."),
  })
  .meta({ id: "OwnSession" });
export type OwnSession = z.infer<typeof OwnSession>;

export const EndSessions = z.strictObject({
  sessionId: optional(z.string().min(1).max(100)).describe(
    "Session to end. By default, all sessions of the caller except the current one.",
  ),
});

export const EndedSessions = z
  .object({ endedSessions: z.number().int().describe("Number of sessions that ended.") })
  .meta({ id: "EndedSessions" });
export type EndedSessions = z.infer<typeof EndedSessions>;

export const ChangePassword = z.strictObject({
  currentPassword: z
    .string()
    .min(1, "Write your current password")
    .max(128)
    .describe("Current password of the caller."),
  newPassword: Password.describe("New password of at least 10 characters."),
});
export type ChangePassword = z.infer<typeof ChangePassword>;
