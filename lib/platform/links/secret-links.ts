import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { verification } from "#db/schema/users";
import { newId } from "#lib/platform/ids/new-id";

/** Right that the bearer of a link has, so that a link of one purpose never serves another. */
export type LinkPurpose = "password" | "comparison";

/** The database has only the hash, so a reader of the database or of a backup cannot use the link. */
const identifierOf = (purpose: LinkPurpose, token: string) =>
  `${purpose} ${createHash("sha256").update(token).digest("hex")}`;

/**
 * Creates a link that expires.
 *
 * @param subject id of the entity that the link gives a right to
 * @returns the link's token of 256 random bits
 */
export async function createSecretLink(
  db: Queryable,
  { purpose, subject, hours }: { purpose: LinkPurpose; subject: string; hours: number },
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db.insert(verification).values({
    id: newId(),
    identifier: identifierOf(purpose, token),
    value: subject,
    expiresAt: sql`now() + make_interval(hours => ${hours})`,
  });
  return token;
}

/** Condition on the row of a link that has neither expired nor ended. */
export const isSecretLink = (purpose: LinkPurpose, token: string): SQL =>
  and(eq(verification.identifier, identifierOf(purpose, token)), gt(verification.expiresAt, sql`now()`))!;

/** Ends all links to an entity. */
export async function endSecretLinks(db: Queryable, subject: string): Promise<void> {
  await db.delete(verification).where(eq(verification.value, subject));
}

/** Deletes links that have expired. */
export async function forgetSecretLinks(db: Database): Promise<void> {
  await db.delete(verification).where(lt(verification.expiresAt, sql`now()`));
}
