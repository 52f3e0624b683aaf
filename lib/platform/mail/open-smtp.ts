import { createTransport } from "nodemailer";
import type { MailSettings } from "#lib/platform/config/environment";
import type { MailText } from "./layout-mail.ts";

/** A mail with its address. The same `id` marks the repeats of a mail. */
export type AddressedMail = MailText & { id: string; to: string };

export type SendMail = (mail: AddressedMail, signal: AbortSignal) => Promise<void>;

type Failure = Partial<Record<"code" | "command" | "responseCode", unknown>> & { message: string };

/** Error of a mail server. The message has no text of the server, which may name the recipient. */
export class SmtpError extends Error {
  override name = "SmtpError";
  /** Whether the server rejects this mail permanently. */
  readonly isRejection: boolean;

  constructor(error: unknown) {
    const { code, command, responseCode, message } = error as Failure;
    const answer = responseCode === undefined ? message : `${command} was answered with ${responseCode}`;
    super(`The mail server did not accept a mail: ${code}, ${answer}`);
    this.isRejection = (code === "EENVELOPE" || code === "EMESSAGE") && Number(responseCode) >= 500;
  }
}

/** Returns a function that sends a mail by a connection of its own, which ends with the signal. */
export function openSmtp({ smtpUrl, from }: MailSettings): SendMail {
  const transport = createTransport({ url: smtpUrl, disableFileAccess: true, disableUrlAccess: true });
  const domain = from.address.split("@")[1];
  return async ({ id, to, subject, text, html }, signal) => {
    // An address as an object is not parsed, so it stays one address.
    const mail = { from, to: { name: "", address: to }, subject, text, html, signal };
    const headers = { "Auto-Submitted": "auto-generated" };
    try {
      await transport.sendMail({ ...mail, messageId: `<${id}@${domain}>`, headers });
    } catch (error) {
      throw new SmtpError(error);
    }
  };
}
