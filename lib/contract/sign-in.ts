import { z } from "zod";
import { Instant, optional } from "./common.ts";
import { Email, Password } from "./members.ts";

/** Credentials of a member. A short password is wrong, not invalid. */
export const Credentials = z.strictObject({
  email: Email.describe("Email address of the member."),
  password: z.string().min(1, "Enter your password").max(128).describe("Password of the member."),
  rememberMe: optional(z.boolean()).describe(
    "Whether the session outlives the browser. With `false`, the cookie ends with the browser.",
  ),
});
export type Credentials = z.infer<typeof Credentials>;

const SignedInUser = z
  .looseObject({
    id: z.string().describe("User identifier."),
    name: z.string().describe("Name of the user."),
    email: z.string().describe("Email address with which the user signed in."),
  })
  .describe("The signed-in user.");

/** Response of the sign-in library. It may contain further fields. */
export const SignedIn = z
  .looseObject({
    redirect: z.boolean().describe("Always `false`."),
    token: z.string().describe("Token of the session. Authentication uses the cookie, not this token."),
    user: SignedInUser,
  })
  .meta({ id: "SignedIn" });

export const SignedOut = z
  .looseObject({ success: z.boolean().describe("Always `true`: the session has ended.") })
  .meta({ id: "SignedOut" });

export const Session = z
  .looseObject({
    session: z
      .looseObject({
        userId: z.string().describe("ID of the signed-in user."),
        expiresAt: Instant.describe("Time at which the session expires if it is not used before."),
      })
      .describe("The session."),
    user: SignedInUser,
  })
  .nullable()
  .meta({ id: "Session", description: "The current session, or `null` without a session." });

export const PasswordResetRequest = z.strictObject({
  email: Email.describe("Email address of the member."),
});
export type PasswordResetRequest = z.infer<typeof PasswordResetRequest>;

export const PasswordResetRequested = z
  .object({ message: z.string().describe("Human-readable message, the same for every address.") })
  .meta({ id: "PasswordResetRequested" });

export const PasswordReset = z.strictObject({
  token: z.string().min(1).max(100).describe("Part of the link in the mail after `#`."),
  newPassword: Password.describe("New password of at least 10 characters."),
});
export type PasswordReset = z.infer<typeof PasswordReset>;

export const PasswordWasReset = z
  .object({ message: z.string().describe("Human-readable message.") })
  .meta({ id: "PasswordWasReset" });
