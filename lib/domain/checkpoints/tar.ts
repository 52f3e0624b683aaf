/**
 * The subset of the tar format (POSIX ustar) that checkpoint files use: plain files in the root, without machine data.
 * A name and a size determine the header. So a reader compares headers instead of parsing them, and paths, links and
 * format extensions cannot occur.
 */
export const TAR_BLOCK = 512;
/** End-of-archive marker. */
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
  // Checksum over all bytes, with the checksum field counted as spaces.
  put(CHECKSUM_AT, "        ");
  put(156, "0");
  put(257, "ustar\0");
  put(263, "00");
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(CHECKSUM_AT, `${sum.toString(8).padStart(6, "0")}\0 `);
  return header;
}

/** Returns the zeros between a file's end and the next block. */
export function tarPadding(bytes: number): Uint8Array {
  return new Uint8Array((TAR_BLOCK - (bytes % TAR_BLOCK)) % TAR_BLOCK);
}

/** Returns the size in a header, or NaN. `tarHeader` gives the expected header to compare the rest with. */
export function sizeInHeader(header: Uint8Array): number {
  const digits = new TextDecoder().decode(header.subarray(SIZE_AT, SIZE_AT + 11));
  return /^[0-7]{11}$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}

/** Returns the size of an archive with files of these sizes. */
export function tarBytes(sizes: readonly number[]): number {
  return sizes.reduce((sum, bytes) => sum + TAR_BLOCK + bytes + tarPadding(bytes).length, TAR_END.length);
}
