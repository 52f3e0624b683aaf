import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "#db/client";
import type { MailKind } from "#db/schema/mails";
import { user } from "#db/schema/users";
import { createPasswordLink, passwordMail } from "#lib/domain/users/password-links";
import type { UserRow } from "#lib/domain/users/present";
import { environment } from "#lib/platform/config/environment";
import { layoutMail, type MailContent } from "#lib/platform/mail/layout-mail";
import type { MailRow } from "#lib/platform/mail/queue-mail";
import type { ComposeMail } from "#lib/platform/mail/send-mails";
import { composeJobMail } from "./compose-job-mail.ts";

type Occasion = { mail: MailRow; member: UserRow; publicUrl: string };
type Compose = (db: Database, occasion: Occasion) => Promise<MailContent | null>;

const composers: Record<MailKind, Compose> = {
  "password-reset": composeReset,
  invitation: composeInvitation,
  "job-ended": composeJobMail,
};

const resetHours = 1;
const invitationDays = 7;

/** Writes a mail when it is sent: links are valid from then, and a member without access any more gets none. */
export const composeMail: ComposeMail = async (db, mail) => {
  const settings = environment().mail;
  const [member] = await db
    .select()
    .from(user)
    .where(and(eq(user.id, mail.userId), isNull(user.disabledAt)));
  if (member === undefined || settings === null) return null;
  const content = await composers[mail.kind](db, { mail, member, publicUrl: settings.publicUrl });
  return content && { to: member.email, ...layoutMail(content) };
};

async function composeReset(
  db: Database,
  { mail, member, publicUrl }: Occasion,
): Promise<MailContent | null> {
  // The member no longer waits for it, and would not expect a link that arrives later.
  const isLate = Date.now() - mail.createdAt.getTime() > resetHours * 3_600_000;
  if (isLate || passwordMail() === null) return null;
  return {
    subject: "Your new Forkcast password",
    paragraphs: [
      `Somebody asked for a new password of your account at ${publicUrl}. If it was you, choose one within an hour.`,
      "Otherwise, ignore this mail. Your password stays the same.",
    ],
    action: {
      label: "Choose a new password",
      url: await createPasswordLink(db, { userId: member.id, hours: resetHours, publicUrl }),
    },
  };
}

async function composeInvitation(db: Database, { member, publicUrl }: Occasion): Promise<MailContent> {
  const subject = "Your Forkcast account";
  const invited = `An admin has added you to Forkcast at ${publicUrl}.`;
  if (passwordMail() === null) {
    return {
      subject,
      paragraphs: [invited, "Sign in with your company account."],
      action: { label: "Sign in", url: `${publicUrl}/login` },
    };
  }
  const link = { userId: member.id, hours: invitationDays * 24, publicUrl };
  return {
    subject,
    paragraphs: [
      invited,
      `Choose your password within ${invitationDays} days. Then sign in as ${member.email}.`,
      "After that time, use “Forgot password?” on the sign-in page.",
    ],
    action: { label: "Choose a password", url: await createPasswordLink(db, link) },
  };
}
