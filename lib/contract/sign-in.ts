import { z } from "zod";
import { Instant, optional } from "./common.ts";
import { Email } from "./members.ts";

/** What a member signs in with. Any text may be a wrong password. */
export const Credentials = z.strictObject({
  email: Email.meta({ description: "Of the member" }),
  password: z.string().min(1, "Enter your password").max(128).meta({ description: "The member's password" }),
  rememberMe: optional(z.boolean()).meta({ description: "false: the cookie ends with the browser" }),
});
export type Credentials = z.infer<typeof Credentials>;

const SignedInUser = z
  .looseObject({
    id: z.string().meta({ description: "User identifier" }),
    name: z.string().meta({ description: "Name" }),
    email: z.string().meta({ description: "With which the member signed in" }),
  })
  .meta({ description: "Who is signed in" });

/** What the sign-in library answers; it may say more. */
export const SignedIn = z
  .looseObject({
    redirect: z.boolean().meta({ description: "Always false" }),
    token: z.string().meta({ description: "Of the session; the cookie is what counts" }),
    user: SignedInUser,
  })
  .meta({ id: "SignedIn" });

export const SignedOut = z
  .looseObject({ success: z.boolean().meta({ description: "true: the session has ended" }) })
  .meta({ id: "SignedOut" });

export const Session = z
  .looseObject({
    session: z
      .looseObject({
        userId: z.string().meta({ description: "Whose it is" }),
        expiresAt: Instant.meta({ description: "When it ends, if it is not used before" }),
      })
      .meta({ description: "The session" }),
    user: SignedInUser,
  })
  .nullable()
  .meta({ id: "Session", description: "null without a session" });
