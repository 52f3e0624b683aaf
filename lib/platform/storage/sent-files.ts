import { randomUUID } from "node:crypto";

/** A file that a request's body brought in base64, decoded while it came in. */
export type SentFile = {
  bytes: number;
  /** Why its text is no base64; then it holds nothing. */
  issue: string | null;
  /** Of its content, in hexadecimal. */
  sha256(): string;
  /** Reads it from its start, as often as it is called. */
  read(): AsyncIterable<Uint8Array>;
};

// Route handlers may be bundled with copies of this module of their own.
const shared = globalThis as typeof globalThis & { sentFilesOfProcess?: Map<string, SentFile> };
shared.sentFilesOfProcess ??= new Map();
const files = shared.sentFilesOfProcess;

/** Makes a name that stands for a file in a parsed body: no base64, and unknown to every caller. */
export const newSentFileName = (): string => `sent-file:${randomUUID()}`;

/** Lets the file be found by its name until the result is disposed of. */
export function offerSentFile(name: string, file: SentFile): Disposable {
  files.set(name, file);
  return { [Symbol.dispose]: () => files.delete(name) };
}

export const findSentFile = (name: string): SentFile | undefined => files.get(name);
