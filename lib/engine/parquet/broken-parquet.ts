import { UnreadableFileError } from "#lib/engine/csv/unreadable-file";

export function brokenParquet(cause?: unknown): UnreadableFileError {
  if (cause instanceof UnreadableFileError) return cause;
  const message = "The Parquet file is damaged or cut off. Write it again, or send it again.";
  return new UnreadableFileError("broken_parquet", message, cause);
}
