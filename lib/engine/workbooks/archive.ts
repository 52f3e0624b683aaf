import { Unzip, UnzipInflate } from "fflate";
import { limits } from "#lib/contract/limits";
import { UnreadableFileError } from "#lib/engine/csv/unreadable-file";

/** Compressed bytes that are unpacked at once: at most a thousand times as many come out. */
const STEP_BYTES = 1 << 14;

/** Receives the content of a part, piece by piece. */
type Receive = (bytes: Uint8Array, isLast: boolean) => void;

/** A ZIP archive in memory, which is unpacked piece by piece. All calls share one limit of unpacked bytes. */
export class Archive {
  readonly #bytes: Uint8Array;
  #left: number;

  constructor(bytes: Uint8Array, limitBytes: number = limits.unpackedBytes) {
    this.#bytes = bytes;
    this.#left = limitBytes;
  }

  /**
   * Unpacks the parts that `receiverOf` returns a receiver for. Yields after each step, so that the caller can use what arrived
   * before more is unpacked.
   *
   * @throws {UnreadableFileError} for an archive that is broken, cut off, or larger than the limit
   */
  *read(receiverOf: (name: string) => Receive | null): Generator<void> {
    let open = 0;
    const unzip = new Unzip((part) => {
      const receive = receiverOf(part.name);
      if (receive === null) return;
      open++;
      part.ondata = (error, bytes, isLast) => {
        // Errors of the receiver come back here.
        if (error) throw broken(error);
        this.#left -= bytes.length;
        if (this.#left < 0) throw new UnreadableFileError("too_large_unpacked", tooLarge);
        receive(bytes, isLast);
        if (isLast) open--;
      };
      part.start();
    });
    unzip.register(UnzipInflate);
    const bytes = this.#bytes;
    for (let from = 0; from < bytes.length; from += STEP_BYTES) {
      try {
        unzip.push(bytes.subarray(from, from + STEP_BYTES), from + STEP_BYTES >= bytes.length);
      } catch (error) {
        throw broken(error as Error);
      }
      yield;
    }
    if (open > 0) throw broken(new Error("The last part is incomplete"));
  }
}

const tooLarge = `The workbook has more than ${limits.unpackedBytes / 1_048_576} MiB when it is unpacked. Save the sheet as CSV.`;

function broken(cause: Error): UnreadableFileError {
  if (cause instanceof UnreadableFileError) return cause;
  const message = "The workbook is damaged or cut off. Save it again, or send it again.";
  return new UnreadableFileError("broken_workbook", message, cause);
}
