import { z } from "zod";
import { Email } from "./members.ts";

/** What a member signs in with. Any text may be a wrong password. */
export const Credentials = z.strictObject({
  email: Email,
  password: z.string().min(1, "Enter your password").max(128),
  rememberMe: z.boolean().optional(),
});
export type Credentials = z.infer<typeof Credentials>;
