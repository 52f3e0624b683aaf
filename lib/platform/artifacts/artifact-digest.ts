import { createHash } from "node:crypto";
import type { Manifest } from "#lib/platform/storage/artifact-store";

/** One SHA-256 (hexadecimal) for all files of a folder: of their names and hashes, sorted. Copies have the same one. */
export function artifactDigest({ files }: Manifest): string {
  const lines = Object.keys(files)
    .sort()
    .map((name) => `${files[name]!.sha256}  ${name}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}

/** Bytes of all files of a folder. */
export function artifactBytes({ files }: Manifest): number {
  return Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
}
