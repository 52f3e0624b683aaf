import { randomUUID } from "node:crypto";
import { perProcess } from "#lib/platform/process/per-process";

/** File from a request's body, decoded from base64 on arrival. */
export type SentFile = {
  bytes: number;
  /** Reason why the text is not base64. The file is empty then. */
  issue: string | null;
  /** Digest of the content, in hexadecimal. */
  sha256(): string;
  /** Reads the file from its start at each call. */
  read(): AsyncIterable<Uint8Array>;
};

const files = perProcess("sentFilesOfProcess", () => new Map<string, SentFile>());

/** Returns a name for a file in a parsed body. It is not base64, and no caller can know it. */
export const newSentFileName = (): string => `sent-file:${randomUUID()}`;

/** Registers the file under its name until the result is disposed of. */
export function offerSentFile(name: string, file: SentFile): Disposable {
  files().set(name, file);
  return { [Symbol.dispose]: () => files().delete(name) };
}

export const findSentFile = (name: string): SentFile | undefined => files().get(name);
