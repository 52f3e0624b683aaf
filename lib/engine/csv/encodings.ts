export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** Returns the length of the complete characters. A character that is cut off at the end waits for the next chunk. */
export function completeLength(bytes: Uint8Array, encoding: Encoding): number {
  const length = bytes.length;
  if (encoding !== "utf-8") {
    const even = length - (length % 2);
    if (even < 2) return even;
    const high = encoding === "utf-16be" ? bytes[even - 2]! : bytes[even - 1]!;
    return (high & 0xfc) === 0xd8 ? even - 2 : even;
  }
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? length - back : length;
  }
  return length;
}

export function nulUtf16At(bytes: Uint8Array): number {
  for (let i = 0; i + 1 < bytes.length; i += 2) if (bytes[i] === 0 && bytes[i + 1] === 0) return i;
  return -1;
}
