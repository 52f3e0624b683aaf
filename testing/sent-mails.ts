import { afterAll, beforeEach, expect } from "vitest";
import type { Database } from "#db/client";
import { mails } from "#db/schema/mails";
import { composeMail } from "#lib/domain/mails/compose-mail";
import { environment } from "#lib/platform/config/environment";
import { startSendingMails } from "#lib/platform/mail/send-mails";
import { startMailServer } from "./mail-server.ts";
import { setEnvironment } from "./set-environment.ts";

/** Starts a mail server for a test file, and sends the service's mails through it. Empties its mailbox before each test. */
export async function sendMailsHere(db: Database) {
  const server = await startMailServer();
  setEnvironment(server.variables);
  const stop = startSendingMails(db, environment().mail!, composeMail);
  afterAll(async () => {
    await stop();
    await server.close();
  });
  beforeEach(() => {
    setEnvironment(server.variables);
    server.received.length = 0;
  });
  return {
    ...server,
    /** Waits until no mail is left to send. */
    isSettled: () => expect.poll(() => db.$count(mails), { timeout: 10_000, interval: 20 }).toBe(0),
  };
}
