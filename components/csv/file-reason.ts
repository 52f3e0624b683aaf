import { counted } from "#lib/contract/counted";

export const noFile = "Choose a file.";

/** Reason of a file that changed or disappeared after it was chosen. Browsers call this a network error. */
export const unreadable = "The file could not be read. Check that the file was not moved or changed.";

/** Reason of a file that is being read. A form waits for it. */
export const reading = "Wait until the file is read.";

/** State of a file that is read, as `useCsvPreview` returns it. */
type FileState = {
  preview: { issueCount: number } | null;
  fraction: number | null;
  failure: string | null;
};

/** Returns why a file cannot be sent: it is absent, still read, unreadable or has issues. Null if it can be sent. */
export function fileReason(file: File | null, { preview, fraction, failure }: FileState): string | null {
  if (!file) return noFile;
  if (fraction !== null) return reading;
  if (failure !== null || !preview) return "Choose a file that can be read.";
  if (preview.issueCount === 0) return null;
  return `Correct ${counted(preview.issueCount, "issue")} in the file, or choose another file.`;
}
