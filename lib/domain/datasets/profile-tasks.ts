import type { Reading } from "#lib/contract/reading";
import { Slots } from "#lib/platform/concurrency/slots";
import { perProcess } from "#lib/platform/process/per-process";
import type { OpenFile, Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { profileSample, SAMPLE_BYTES, type Sample, type UploadProfile } from "./profile-upload.ts";

/** Task that profiles an upload. Reads a small part of the file, so that its thread stays. */
export const tasks = { profileSample } satisfies Tasks;

/** Apart from the threads of long tasks, so that an upload does not wait for the datasets and scenarios of others. */
const slots = perProcess("profileSlots", () => new Slots({ atOnce: 2, waiting: 100, waitMs: 60_000 }));

const runProfileTask = taskRunner(tasks, {
  module: "./profile-tasks.ts",
  beside: import.meta.url,
  idleMs: 60_000,
  slots,
});

/** @param open opens the stored file */
export function profileUpload(
  upload: Sample,
  open: OpenFile,
  signal: AbortSignal | undefined,
): Promise<UploadProfile> {
  return runProfileTask("profileSample", upload, {
    bytes: Math.min(upload.bytes, SAMPLE_BYTES),
    open,
    signal,
  });
}

/**
 * Returns the profile of an upload that continues a dataset. Profiles the file again if the dataset has another encoding or
 * sheet than those in which the upload was read.
 */
export async function profileAsStored(
  { bytes, open }: { bytes: number; open: OpenFile },
  profile: UploadProfile,
  { reading, signal }: { reading: Reading | null | undefined; signal: AbortSignal | undefined },
): Promise<UploadProfile> {
  const { encoding = profile.encoding, sheet } = reading ?? {};
  const isOfSheet = sheet === undefined || profile.sheet === sheet;
  if (encoding === profile.encoding && isOfSheet) return profile;
  return profileUpload({ bytes, lineCount: profile.lineCount, stored: { encoding, sheet } }, open, signal);
}
