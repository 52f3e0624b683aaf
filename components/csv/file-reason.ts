import { counted } from "#lib/contract/counted";
import type { useCsvPreview } from "./use-csv-preview.ts";

export const noFile = "Choose a CSV file.";

/** Reason of a file that is being read. A button shows progress for it. */
export const reading = "Wait until the file is read.";

/** Returns why a file cannot be sent: it is absent, still read, unreadable or has issues. Null if it can be sent. */
export function fileReason(
  file: File | null,
  { preview, fraction, failure }: ReturnType<typeof useCsvPreview>,
): string | null {
  if (!file) return noFile;
  if (fraction !== null) return reading;
  if (failure !== null || !preview) return "Choose a file that can be read.";
  if (preview.issueCount === 0) return null;
  return `Correct ${counted(preview.issueCount, "issue")} in the file, or choose another file.`;
}
