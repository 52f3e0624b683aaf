import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { mails } from "#db/schema/mails";
import { environment, parseEnvironment } from "#lib/platform/config/environment";
import { logger } from "#lib/platform/log/logger";
import { runHousekeeping } from "#server/worker/housekeeping";
import { createUser, type TestUser } from "#testing/api";
import { startMailServer } from "#testing/mail-server";
import { createTestDatabase } from "#testing/postgres";
import { setEnvironment } from "#testing/set-environment";
import { queueMail } from "./queue-mail.ts";
import { type ComposeMail, startSendingMails } from "./send-mails.ts";

const { db, sql } = await createTestDatabase();
const server = await startMailServer();
afterAll(() => server.close());
setEnvironment(server.variables);

/** Addresses by user, in place of the texts of the domain. */
const compose: ComposeMail = async (_db, { userId, kind }) => {
  if (!addresses.has(userId)) return null;
  return { to: addresses.get(userId)!, subject: kind, text: "text", html: "<p>text</p>" };
};
const addresses = new Map<string, string>();

beforeEach(async () => {
  server.received.length = 0;
  server.answer(() => "accept");
  server.reject("");
  await sql`delete from mails`;
});

async function recipient(): Promise<TestUser> {
  const user = await createUser();
  addresses.set(user.id, user.email);
  return user;
}
const queue = async (user: TestUser, kind: "invitation" | "password-reset" = "invitation") =>
  queueMail(db, { kind, userId: user.id });
/** Sends until the action is done. */
async function sending<T>(action: () => Promise<T>, settings = environment().mail!): Promise<T> {
  const stop = startSendingMails(db, settings, compose);
  try {
    return await action();
  } finally {
    await stop();
  }
}
const soon = { timeout: 15_000, interval: 20 };
const settled = () => expect.poll(() => db.$count(mails), soon).toBe(0);
const attemptsOf = async ({ id }: TestUser) =>
  (await db.select().from(mails).where(eq(mails.userId, id))).map(({ attempts }) => attempts);
const hurry = () => sql`update mails set due_at = now() where attempts > 0`;

test("a mail is sent once, and repeated requests before are one mail", async () => {
  const user = await recipient();
  for (const kind of ["invitation", "invitation", "password-reset"] as const) await queue(user, kind);
  await sending(settled);
  expect(server.received.map(({ to, subject }) => [to, subject]).sort()).toEqual([
    [[user.email], "invitation"],
    [[user.email], "password-reset"],
  ]);
});

test("a mail that the server rejects for now is sent again with the same ID, after pauses", async () => {
  const user = await recipient();
  const replies = [451, 421, "accept" as const];
  server.answer(() => replies[server.received.length - 1] ?? "accept");
  await queue(user);
  await sending(async () => {
    await expect.poll(() => attemptsOf(user), soon).toEqual([1]);
    const [row] = await db.select().from(mails);
    await expect.poll(async () => (await db.select().from(mails))[0]!.dueAt > row!.createdAt).toBe(true);
    await expect
      .poll(async () => {
        await hurry();
        return db.$count(mails);
      }, soon)
      .toBe(0);
  });
  const ids = server.received.map(({ head }) => head.find((line) => line.startsWith("message-id:")));
  expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
});

test("a mail to an unknown mailbox is given up, and the log does not name the address", async () => {
  const user = await recipient();
  server.reject(user.email);
  const log = vi.spyOn(logger(), "error");
  await queue(user);
  await sending(settled);
  const [line] = log.mock.calls[0]!;
  log.mockRestore();
  expect(line).toMatchObject({ userId: user.id, kind: "invitation", attempts: 1 });
  expect(String((line as unknown as { err: Error }).err.stack)).toMatch(/550/);
  expect(String((line as unknown as { err: Error }).err.stack)).not.toContain(user.email);
  expect(server.received).toEqual([]);
});

test("a mailbox at which the server hangs delays only its own mails, and a stop ends the attempt", async () => {
  const [slow, fast] = [await recipient(), await recipient()];
  server.answer(({ to }) => (to.includes(slow.email) ? "hang" : "accept"));
  for (const kind of ["invitation", "password-reset"] as const) await queue(slow, kind);
  await sending(async () => {
    await expect.poll(() => server.received.length, soon).toBe(1);
    await queue(fast);
    await expect.poll(() => attemptsOf(fast), soon).toEqual([]);
  });
  expect(server.received.map(({ to }) => to[0])).toEqual([slow.email, fast.email]);
  expect((await attemptsOf(slow)).sort()).toEqual([0, 1]);
  // The next worker sends both at once.
  server.answer(() => "accept");
  await sending(settled);
});

test("the mail of a worker that died is sent again after its lease", async () => {
  const user = await recipient();
  await queue(user);
  await sql`update mails set attempts = 1, due_at = now() + interval '60 s'`;
  await sending(async () => {
    await queue(await recipient());
    await expect.poll(() => server.received.length, soon).toBe(1);
    expect(await attemptsOf(user)).toEqual([1]);
    await hurry();
    await settled();
  });
});

test("a mail that must not be sent any more ends without an attempt to send", async () => {
  await queueMail(db, { kind: "invitation", userId: (await createUser()).id });
  await sending(settled);
  expect(server.received).toEqual([]);
});

test("a wrong password of the mail server is retried, and no log line has it", async () => {
  const user = await recipient();
  await queue(user);
  const mail = parseEnvironment({
    ...server.variables,
    SMTP_URL: `smtp://forkcast:not-the-password@127.0.0.1:${server.port}`,
  }).mail!;
  const log = vi.spyOn(logger(), "warn");
  await sending(async () => {
    await expect.poll(() => log.mock.calls.length, soon).toBe(1);
    await expect.poll(() => attemptsOf(user), soon).toEqual([1]);
  }, mail);
  const { err } = log.mock.calls[0]![0] as unknown as { err: Error };
  log.mockRestore();
  expect(err.message).toMatch(/EAUTH.*535/);
  expect(err.stack).not.toContain("not-the-password");
});

test("mails that nobody has sent for two days are deleted", async () => {
  await queue(await recipient());
  await runHousekeeping(db);
  expect(await db.$count(mails)).toBe(1);
  await sql`update mails set due_at = now() - interval '49 hours'`;
  await runHousekeeping(db);
  expect(await db.$count(mails)).toBe(0);
});
