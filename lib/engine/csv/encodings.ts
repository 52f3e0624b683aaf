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

/** Returns the offset of the first byte outside well-formed UTF-8 (Unicode table 3-7), or -1. */
export function invalidUtf8At(bytes: Uint8Array): number {
  const length = bytes.length;
  let i = 0;
  while (i < length) {
    const lead = bytes[i]!;
    if (lead < 0x80) {
      i++;
      continue;
    }
    let low = 0x80;
    let high = 0xbf;
    let more = 0;
    if (lead >= 0xc2 && lead <= 0xdf) more = 1;
    else if (lead >= 0xe0 && lead <= 0xef) {
      more = 2;
      if (lead === 0xe0) low = 0xa0;
      if (lead === 0xed) high = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      more = 3;
      if (lead === 0xf0) low = 0x90;
      if (lead === 0xf4) high = 0x8f;
    } else return i;
    for (let k = 1; k <= more; k++) {
      const byte = bytes[i + k];
      if (byte === undefined || byte < low || byte > high) return i;
      low = 0x80;
      high = 0xbf;
    }
    i += more + 1;
  }
  return -1;
}

/** Returns the offset of the first lone surrogate or half character, or -1. */
export function invalidUtf16At(bytes: Uint8Array, bigEndian: boolean): number {
  const high = bigEndian ? 0 : 1;
  const even = bytes.length - (bytes.length % 2);
  for (let i = 0; i < even; i += 2) {
    const byte = bytes[i + high]!;
    if ((byte & 0xf8) !== 0xd8) continue;
    const paired = i + 2 < even && (bytes[i + 2 + high]! & 0xfc) === 0xdc;
    if ((byte & 0xfc) === 0xdc || !paired) return i;
    i += 2;
  }
  return even === bytes.length ? -1 : even;
}

export function nulUtf16At(bytes: Uint8Array): number {
  for (let i = 0; i + 1 < bytes.length; i += 2) if (bytes[i] === 0 && bytes[i + 1] === 0) return i;
  return -1;
}
