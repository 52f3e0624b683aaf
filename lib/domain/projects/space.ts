import { eq, sql } from "drizzle-orm";
import type { Database, Queryable, Transaction } from "#db/client";
import { orphanedArtifacts } from "#db/schema/artifacts";
import { uploads } from "#db/schema/datasets";
import { bytesText } from "#lib/contract/bytes-text";
import { counted } from "#lib/contract/counted";
import type { ProjectSpace } from "#lib/contract/space";
import { recordedBytes } from "#lib/platform/artifacts/recorded-bytes";
import { environment } from "#lib/platform/config/environment";
import { DomainError } from "#lib/platform/errors/domain-error";
import { lockProject } from "./lock-project.ts";

/**
 * Quotas of space per project.
 *
 * The space in use is always the sum over rows that record their bytes, so no counter can drift. A file that is still
 * being written has no row yet. Its writer reserves bytes on the claim of its folder (`reserveSpace`), and the
 * transaction that inserts the row removes the claim with them. Example: 19 GB of 20 GB are in use and two uploads of
 * 2 GB arrive together. Each reserves a little more than it has received. When their reservations reach 1 GB together,
 * the next one is rejected, and its file is deleted. A check of rows alone would let both pass, because neither has a row.
 */

/** Returns the space that a project uses, and its limits. `exceptKey`: folder whose reservation does not count. */
export async function projectSpace(
  db: Queryable,
  projectId: string,
  exceptKey: string | null = null,
): Promise<ProjectSpace> {
  const arriving = sql`starts_with(key, ${`projects/${projectId}/uploads/`})`;
  const claimed = sql`from ${orphanedArtifacts} where due_at > now() and reserved_bytes > 0
    and starts_with(key, ${`projects/${projectId}/`}) and key is distinct from ${exceptKey}`;
  const open = sql`from ${uploads} where project_id = ${projectId} and used_at is null`;
  const rows = await db.execute<{ kind: string; bytes: number; count: number }>(sql`
    select kind, sum(bytes)::float8 as bytes, count(*)::int from (${recordedBytes}) recorded
      where project_id = ${projectId} group by kind
    union all select 'beingWritten', coalesce(sum(reserved_bytes), 0)::float8, count(*)::int ${claimed}
    union all select 'open', coalesce(sum(bytes), 0)::float8, count(*)::int ${open}
    union all select 'arriving', coalesce(sum(reserved_bytes), 0)::float8, count(*)::int ${claimed} and ${arriving}`);
  const sumOf = (kind: string) => rows.find((row) => row.kind === kind) ?? { bytes: 0, count: 0 };
  const kinds = ["models", "checkpoints", "datasets", "scenarios", "uploads", "beingWritten"] as const;
  const byKind = Object.fromEntries(kinds.map((kind) => [kind, sumOf(kind).bytes])) as ProjectSpace["byKind"];
  const { quota } = environment();
  return {
    bytes: Object.values(byKind).reduce((sum, bytes) => sum + bytes, 0),
    limitBytes: quota.bytes,
    byKind,
    openUploads: {
      count: sumOf("open").count + sumOf("arriving").count,
      limitCount: quota.openUploads,
      bytes: sumOf("open").bytes + sumOf("arriving").bytes,
      limitBytes: quota.openUploadBytes,
    },
  };
}

/**
 * Rejects a change that would leave the project above its quota. The transaction has locked the project and inserted its
 * rows.
 *
 * @param more bytes that must still be free
 * @throws {DomainError} quota_exceeded
 */
export async function requireSpace(tx: Transaction, projectId: string, more = 0): Promise<void> {
  const space = await projectSpace(tx, projectId);
  if (space.bytes + more > space.limitBytes) throw spaceExceededError(space);
}

/**
 * Reserves space for a folder that this process has claimed and is writing. Replaces an earlier reservation.
 *
 * @param atLeast bytes needed now
 * @param atMost bytes to reserve if so many are free
 * @returns the reserved bytes
 * @throws {DomainError} project_not_found, quota_exceeded
 */
export async function reserveSpace(
  db: Database,
  { projectId, key, atLeast, atMost = atLeast, isOpenUpload = false }: Reservation,
): Promise<number> {
  return db.transaction(async (tx) => {
    await lockProject(tx, projectId);
    const space = await projectSpace(tx, projectId, key);
    const { openUploads: open } = space;
    if (isOpenUpload && open.count >= open.limitCount) throw tooManyUploadsError(open);
    const free = space.limitBytes - space.bytes;
    const freeForUpload = isOpenUpload ? open.limitBytes - open.bytes : free;
    if (atLeast > free) throw spaceExceededError(space);
    if (atLeast > freeForUpload) throw uploadSpaceExceededError(open);
    const reservedBytes = Math.min(atMost, free, freeForUpload);
    await tx.update(orphanedArtifacts).set({ reservedBytes }).where(eq(orphanedArtifacts.key, key));
    return reservedBytes;
  });
}

type Reservation = {
  projectId: string;
  key: string;
  atLeast: number;
  atMost?: number;
  /** Whether the folder becomes an open upload, which has its own limits. */
  isOpenUpload?: boolean;
};

type OpenUploads = ProjectSpace["openUploads"];

const kindNames: Record<keyof ProjectSpace["byKind"], string> = {
  models: "models",
  checkpoints: "checkpoints",
  datasets: "dataset",
  scenarios: "scenarios",
  uploads: "uploads",
  beingWritten: "being written",
};

function spaceExceededError({ bytes, limitBytes, byKind }: ProjectSpace): DomainError {
  const parts = Object.entries(kindNames)
    .filter(([kind]) => byKind[kind as keyof typeof kindNames] > 0)
    .map(([kind, name]) => `${name} ${bytesText(byKind[kind as keyof typeof kindNames])}`);
  const used = parts.length > 0 ? ` (${parts.join(", ")})` : "";
  return new DomainError(
    "quota_exceeded",
    `The project uses ${bytesText(bytes)}${used} of ${bytesText(limitBytes)}, so there is not enough space for this. Delete scenarios, checkpoints, uploads or versions of the dataset that are no longer needed, or ask the operator to raise QUOTA_BYTES.`,
  );
}

function tooManyUploadsError({ count, limitCount }: OpenUploads): DomainError {
  return new DomainError(
    "quota_exceeded",
    `The project has ${counted(count, "upload")} that no request has used yet, and may have ${limitCount}. Use them, or delete them with \`DELETE …/uploads/{uploadId}\`. The service deletes uploads after 24 hours.`,
  );
}

function uploadSpaceExceededError({ bytes, limitBytes }: OpenUploads): DomainError {
  return new DomainError(
    "quota_exceeded",
    `Uploads that no request has used yet have ${bytesText(bytes)}, and may have ${bytesText(limitBytes)} together. Use them, or delete them with \`DELETE …/uploads/{uploadId}\`. The service deletes uploads after 24 hours.`,
  );
}
