import type { Database } from "#db/client";
import { pausesSeconds, startTurns } from "#lib/platform/concurrency/start-turns";
import type { MailSettings } from "#lib/platform/config/environment";
import { logger } from "#lib/platform/log/logger";
import { type AddressedMail, openSmtp, type SendMail, SmtpError } from "./open-smtp.ts";
import { endMail, type MailRow, retryMail, takeMail } from "./queue-mail.ts";

const attemptMs = 20_000;
const atOnce = 8;

/** Writes a mail. null if it must not be sent any more, for example because its user was disabled. */
export type ComposeMail = (db: Database, mail: MailRow) => Promise<Omit<AddressedMail, "id"> | null>;

/**
 * Starts to send due mails. Any number of workers share them.
 *
 * @returns a function that stops; mails in flight are ended, and other workers send them again
 */
export function startSendingMails(
  db: Database,
  settings: MailSettings,
  compose: ComposeMail,
): () => Promise<void> {
  const send = openSmtp(settings);
  return startTurns<MailRow>({
    name: "mails",
    atOnce,
    take: (running) =>
      takeMail(
        db,
        running.map(({ userId }) => userId),
      ),
    run: (mail, stopping) => runTurn(db, mail, { send, compose, stopping }),
  });
}

type Parts = { send: SendMail; compose: ComposeMail; stopping: AbortSignal };

async function runTurn(db: Database, mail: MailRow, { send, compose, stopping }: Parts): Promise<void> {
  const content = await compose(db, mail);
  if (content === null) return endMail(db, mail);
  try {
    await send({ id: mail.id, ...content }, AbortSignal.any([stopping, AbortSignal.timeout(attemptMs)]));
  } catch (error) {
    if (!(error instanceof SmtpError)) throw error;
    if (stopping.aborted) return retryMail(db, mail, 0);
    return recordFailure(db, mail, error);
  }
  await endMail(db, mail);
}

async function recordFailure(db: Database, mail: MailRow, err: SmtpError): Promise<void> {
  const pause = err.isRejection ? undefined : pausesSeconds[mail.attempts - 1];
  const line = { err, mailId: mail.id, kind: mail.kind, userId: mail.userId, attempts: mail.attempts };
  if (pause === undefined) {
    logger().error(line, "a mail was not sent, and is given up");
    return endMail(db, mail);
  }
  logger().warn(line, "a mail was not sent, and will be retried");
  return retryMail(db, mail, pause);
}
