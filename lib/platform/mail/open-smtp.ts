import { createTransport } from "nodemailer";
import type { MailSettings } from "#lib/platform/config/environment";
import type { MailText } from "./layout-mail.ts";

/** A mail with its address. The same `id` marks the repeats of a mail. */
export type AddressedMail = MailText & { id: string; to: string };

export type SendMail = (mail: AddressedMail, signal: AbortSignal) => Promise<void>;

type Failure = Partial<Record<"code" | "originalCode" | "command" | "responseCode", unknown>> & {
  message: string;
};

/** Error of a mail server. The message has no text of the server, which may name the recipient. */
export class SmtpError extends Error {
  override name = "SmtpError";
  /** Whether the server rejects this mail permanently. */
  readonly isRejection: boolean;

  constructor(error: Failure) {
    const { code, responseCode } = error;
    super(reasonOf(error));
    this.isRejection = (code === "EENVELOPE" || code === "EMESSAGE") && Number(responseCode) >= 500;
  }
}

function reasonOf({ code, originalCode, command, responseCode, message }: Failure): string {
  // Codes of Node.js for certificates, such as DEPTH_ZERO_SELF_SIGNED_CERT.
  if (/CERT|SIGNATURE/.test(String(originalCode))) {
    return `The certificate of the mail server is not trusted: ${message}. SMTP_URL must have the certificate's host, and NODE_EXTRA_CA_CERTS the file of an issuer of your own.`;
  }
  const answer = responseCode === undefined ? message : `${command} was answered with ${responseCode}`;
  return `The mail server did not accept a mail: ${code}, ${answer}`;
}

/** Returns a function that sends a mail by a new connection, which ends with the signal. */
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
      throw new SmtpError(error as Failure);
    }
  };
}
