import { sql } from "drizzle-orm";
import { check, index, pgTable, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, instant } from "./columns.ts";
import { jobs } from "./jobs.ts";
import { user } from "./users.ts";

export const mailKinds = ["password-reset", "invitation", "job-ended"] as const;
export type MailKind = (typeof mailKinds)[number];

/**
 * Mails to send. A worker composes a mail when it sends it, so this table has no addresses, texts or links. The mail about a
 * job waits for the end of the job. The row ends with the mail.
 */
export const mails = pgTable(
  "mails",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    kind: text("kind", { enum: mailKinds }).notNull(),
    /** Recipient. */
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    jobId: uuid("job_id").references(() => jobs.id, { onDelete: "cascade" }),
    attempts: smallint("attempts").notNull().default(0),
    /** Time of the next attempt. An attempt moves it ahead, so that a worker that dies delays the mail but does not lose it. */
    dueAt: instant("due_at").notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (table) => [
    // Repeated requests while a mail waits are one mail.
    unique("mails_once").on(table.userId, table.kind, table.jobId).nullsNotDistinct(),
    index("mails_due").on(table.dueAt),
    index().on(table.jobId),
    check("mails_kind", sql`${table.kind} in ('password-reset', 'invitation', 'job-ended')`),
    check("mails_job", sql`(${table.kind} = 'job-ended') = (${table.jobId} is not null)`),
    check("mails_attempts", sql`${table.attempts} >= 0`),
  ],
);
