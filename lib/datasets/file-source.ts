import { setImmediate } from "node:timers/promises";
import type { Database } from "#db/client";
import { limits } from "#lib/contract/limits";
import { decodeBase64 } from "#lib/csv/base64";
import { DomainError } from "#lib/errors/domain-error";
import { readUpload } from "./read-upload.ts";

/** The two ways to send a file: in the body, or uploaded before. The contract asks for exactly one of them. */
export type FileSource = { fileData?: string | null | undefined; uploadId?: string | null | undefined };

/** Reads the file from its start, as often as it is called. */
export type OpenFile = () => Promise<AsyncIterable<Uint8Array>>;

const SLICE_BYTES = 1 << 20;

/**
 * The file that a request sends.
 *
 * @throws {DomainError} validation_failed for base64 that is not canonical, payload_too_large, upload_not_found
 */
export async function openSource(
  db: Database,
  { projectId, fileData, uploadId }: FileSource & { projectId: string },
): Promise<OpenFile> {
  if (uploadId != null) {
    const upload = await readUpload(db, { projectId, uploadId });
    return upload.open;
  }
  const bytes = decodeFileData(fileData ?? "");
  return async () => slices(bytes);
}

/**
 * @param field name of the body's field, for the refusal
 * @throws {DomainError} validation_failed for anything but canonical base64, payload_too_large beyond the limit
 */
export function decodeFileData(
  text: string,
  { field = "fileData", limitBytes = limits.csvBytes }: { field?: string; limitBytes?: number } = {},
): Uint8Array {
  if (text.length * 0.75 > limitBytes + 3) throw tooLarge(field, limitBytes);
  const { bytes, fault } = decodeBase64(text);
  if (bytes === null) {
    const message = `${field} is not valid base64. ${fault.message}`;
    throw new DomainError("validation_failed", message, {
      details: [{ field, code: "invalid_base64", message: fault.message }],
    });
  }
  if (bytes.length > limitBytes) throw tooLarge(field, limitBytes);
  return bytes;
}

function tooLarge(field: string, limitBytes: number): DomainError {
  const mebibytes = Math.round(limitBytes / (1 << 20));
  return new DomainError(
    "payload_too_large",
    `${field} holds more than ${mebibytes} MiB; send larger files by POST …/uploads.`,
  );
}

/** In pieces, letting other requests have their turn between them. */
async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    yield bytes.subarray(from, from + SLICE_BYTES);
    await setImmediate();
  }
}
