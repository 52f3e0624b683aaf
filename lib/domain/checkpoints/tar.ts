/**
 * The form of a tar archive (POSIX ustar) that checkpoint files have: plain files in the root, and nothing of the
 * machine that wrote them. For a name and a size there is one header alone, so that a reader compares instead of
 * interpreting: paths, links and the many extensions of the format cannot occur.
 */
export const TAR_BLOCK = 512;
/** What an archive ends with. */
export const TAR_END = new Uint8Array(2 * TAR_BLOCK);

const CHECKSUM_AT = 148;
const SIZE_AT = 124;

/** @param name at most 100 bytes of ASCII @param bytes below 8 GiB */
export function tarHeader(name: string, bytes: number): Uint8Array {
  const header = new Uint8Array(TAR_BLOCK);
  const put = (at: number, text: string) => header.set(new TextEncoder().encode(text), at);
  put(0, name);
  put(100, "0000644\0");
  put(108, "0000000\0");
  put(116, "0000000\0");
  put(SIZE_AT, `${bytes.toString(8).padStart(11, "0")}\0`);
  put(136, "00000000000\0");
  // The sum of all bytes, for which the sum's own place counts as spaces.
  put(CHECKSUM_AT, "        ");
  put(156, "0");
  put(257, "ustar\0");
  put(263, "00");
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(CHECKSUM_AT, `${sum.toString(8).padStart(6, "0")}\0 `);
  return header;
}

/** Zeros from a file's end to the next block. */
export function tarPadding(bytes: number): Uint8Array {
  return new Uint8Array((TAR_BLOCK - (bytes % TAR_BLOCK)) % TAR_BLOCK);
}

/** The size that a header tells, or NaN; whether the rest of it is in order `tarHeader` tells. */
export function sizeInHeader(header: Uint8Array): number {
  const digits = new TextDecoder().decode(header.subarray(SIZE_AT, SIZE_AT + 11));
  return /^[0-7]{11}$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}

/** Bytes of an archive of files of these sizes. */
export function tarBytes(sizes: readonly number[]): number {
  return sizes.reduce((sum, bytes) => sum + TAR_BLOCK + bytes + tarPadding(bytes).length, TAR_END.length);
}
