import { setImmediate } from "node:timers/promises";
import type { Database } from "#db/client";
import { decodeBase64 } from "#lib/platform/encoding/base64";
import { DomainError } from "#lib/platform/errors/domain-error";
import { findSentFile } from "#lib/platform/storage/sent-files";
import type { OpenFile } from "#lib/platform/threads/messages";
import { readUpload } from "./read-upload.ts";

/** The two ways to send a file: in the body, or as an earlier upload. The API requires exactly one of them. */
type FileSource = { fileData?: string | null | undefined; uploadId?: string | null | undefined };

export type SourceFile = { bytes: number; open: OpenFile };

const SLICE_BYTES = 1 << 18;

/**
 * Opens the file that a request sends.
 *
 * @throws {DomainError} validation_failed for non-canonical base64, upload_not_found
 */
export async function openSource(
  db: Database,
  { projectId, fileData, uploadId }: FileSource & { projectId: string },
): Promise<SourceFile> {
  return uploadId == null ? openFileData(fileData ?? "") : readUpload(db, { projectId, uploadId });
}

/** Returns the same file, which reports the share of its bytes read so far, 0 to 1. */
export function followed({ bytes, open }: SourceFile, onRead: (share: number) => void): SourceFile {
  async function* report(chunks: AsyncIterable<Uint8Array>) {
    let read = 0;
    for await (const chunk of chunks) {
      yield chunk;
      read += chunk.length;
      onRead(read / bytes);
    }
  }
  return { bytes, open: async () => report(await open()) };
}

/**
 * Opens a file in the request's body.
 *
 * @param text base64, or the name of a file that came in the request's body
 * @param field name of the body's field, for the error
 * @throws {DomainError} validation_failed unless the text is canonical base64
 */
export function openFileData(text: string, field = "fileData"): SourceFile {
  const sent = findSentFile(text) ?? decoded(text);
  if (sent.issue !== null) {
    const todo =
      "Encode the file's bytes in the standard alphabet, padded, in one line and without a data: prefix.";
    throw new DomainError("validation_failed", `${field} is not valid base64. ${sent.issue} ${todo}`, {
      details: [{ field, code: "invalid_base64", message: sent.issue }],
    });
  }
  return { bytes: sent.bytes, open: async () => sent.read() };
}

function decoded(text: string) {
  const { bytes, issue } = decodeBase64(text);
  const content = bytes ?? new Uint8Array(0);
  return { bytes: content.length, issue: issue?.message ?? null, read: () => slices(content) };
}

/** Yields the bytes in slices, so other requests can run between them. */
async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    yield bytes.subarray(from, from + SLICE_BYTES);
    await setImmediate();
  }
}
