const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const END = Buffer.from([0xff, 0xff]);

/** Value in PostgreSQL's binary format: a `smallint`, an `integer`, bytes of a `uuid` or `bytea`, a `text`. */
export type BinaryValue = { int2: number } | { int4: number } | { bytes: Uint8Array } | { text: string };

/** Header and trailer of a binary COPY. */
export const binaryCopy = { start: SIGNATURE, end: END } as const;

/** Encodes a row of a binary COPY (PostgreSQL, "COPY", "Binary Format"). */
export function binaryRow(values: readonly BinaryValue[]): Uint8Array {
  const fields = values.map(fieldOf);
  const row = Buffer.allocUnsafe(fields.reduce((size, field) => size + 4 + field.length, 2));
  let at = row.writeInt16BE(fields.length, 0);
  for (const field of fields) {
    at = row.writeInt32BE(field.length, at);
    row.set(field, at);
    at += field.length;
  }
  return row;
}

/** The bytes of a GUID. */
export const uuidBytes = (id: string) => Buffer.from(id.replaceAll("-", ""), "hex");

function fieldOf(value: BinaryValue): Uint8Array {
  if ("bytes" in value) return value.bytes;
  if ("text" in value) return Buffer.from(value.text);
  const whole = Buffer.allocUnsafe("int2" in value ? 2 : 4);
  if ("int2" in value) whole.writeInt16BE(value.int2);
  else whole.writeInt32BE(value.int4);
  return whole;
}
