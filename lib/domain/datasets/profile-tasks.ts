import { Slots } from "#lib/platform/concurrency/slots";
import { perProcess } from "#lib/platform/process/per-process";
import type { OpenFile, Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { profileSample, SAMPLE_BYTES, type UploadProfile } from "./profile-upload.ts";
import { type ColumnsCheck, sampleColumns } from "./sample-columns.ts";

/** Tasks that profile an upload and check its columns. They read a small part of the file, so that their thread stays. */
export const tasks = { profileSample, sampleColumns } satisfies Tasks;

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
  upload: { bytes: number; lineCount: number },
  open: OpenFile,
  signal: AbortSignal | undefined,
): Promise<UploadProfile> {
  return runProfileTask("profileSample", upload, {
    bytes: Math.min(upload.bytes, SAMPLE_BYTES),
    open,
    signal,
  });
}

/** @param upload the stored file, and the features and the format to check it against */
export function checkColumns(
  { open, ...upload }: Parameters<typeof sampleColumns>[0] & { open: OpenFile },
  signal: AbortSignal | undefined,
): Promise<ColumnsCheck> {
  return runProfileTask("sampleColumns", upload, {
    bytes: Math.min(upload.bytes, SAMPLE_BYTES),
    open,
    signal,
  });
}
