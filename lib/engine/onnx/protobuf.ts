import { ModelInvalid } from "./onnx-errors.ts";

/**
 * The part of the protocol buffers wire format that ONNX uses: varints, fixed 32 and 64 bits, and length-delimited
 * fields (https://protobuf.dev/programming-guides/encoding/).
 */

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Appends fields to a growing buffer. */
export class ProtobufWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  /** Writes an integer within ±2^53. Negative integers take ten bytes, as int64 requires. */
  int(field: number, value: number): this {
    this.#varint(field * 8 + VARINT);
    this.#varint(value);
    return this;
  }

  float(field: number, value: number): this {
    this.#varint(field * 8 + FIXED32);
    new DataView(this.#room(4).buffer).setFloat32(this.#length, value, true);
    this.#length += 4;
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    this.#varint(field * 8 + BYTES);
    this.#varint(value.length);
    this.#room(value.length).set(value, this.#length);
    this.#length += value.length;
    return this;
  }

  string(field: number, value: string): this {
    return this.bytes(field, encoder.encode(value));
  }

  message(field: number, value: ProtobufWriter): this {
    return this.bytes(field, value.finish());
  }

  packedInts(field: number, values: ArrayLike<number>): this {
    const packed = new ProtobufWriter();
    for (let i = 0; i < values.length; i++) packed.#varint(values[i]!);
    return this.message(field, packed);
  }

  packedFloats(field: number, values: ArrayLike<number>): this {
    const view = new DataView(new ArrayBuffer(values.length * 4));
    for (let i = 0; i < values.length; i++) view.setFloat32(i * 4, values[i]!, true);
    return this.bytes(field, new Uint8Array(view.buffer));
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #varint(value: number): void {
    const bytes = this.#room(10);
    if (value < 0 || value > 0x7fffffff) {
      let rest = BigInt.asUintN(64, BigInt(value));
      for (; rest > 127n; rest >>= 7n) bytes[this.#length++] = Number(rest & 127n) | 128;
      bytes[this.#length++] = Number(rest);
      return;
    }
    let rest = value;
    for (; rest > 127; rest >>>= 7) bytes[this.#length++] = (rest & 127) | 128;
    bytes[this.#length++] = rest;
  }

  #room(size: number): Uint8Array<ArrayBuffer> {
    if (this.#length + size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + size));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    return this.#bytes;
  }
}

/** One field of a message: a varint as bigint (unsigned 64 bits), any other kind as bytes. */
export type ProtobufField =
  | { field: number; kind: "varint"; value: bigint }
  | { field: number; kind: "fixed32" | "fixed64" | "bytes"; value: Uint8Array };

/**
 * Yields the fields of a message in order.
 *
 * @throws ModelInvalid if the bytes are not a message
 */
export function* readFields(bytes: Uint8Array): Generator<ProtobufField> {
  const cursor = { bytes, at: 0 };
  while (cursor.at < bytes.length) {
    const tag = readShort(cursor) ?? readVarint(cursor);
    const field = typeof tag === "number" ? tag >> 3 : Number(tag >> 3n);
    if (field === 0) throw new ModelInvalid("The file is not an ONNX model: it has a field numbered 0.");
    switch (typeof tag === "number" ? tag & 7 : Number(tag & 7n)) {
      case VARINT:
        yield { field, kind: "varint", value: readVarint(cursor) };
        break;
      case FIXED64:
        yield { field, kind: "fixed64", value: take(cursor, 8) };
        break;
      case FIXED32:
        yield { field, kind: "fixed32", value: take(cursor, 4) };
        break;
      case BYTES:
        yield { field, kind: "bytes", value: take(cursor, readShort(cursor) ?? Number(readVarint(cursor))) };
        break;
      default:
        throw new ModelInvalid("The file is not an ONNX model: it has a field of an unknown kind.");
    }
  }
}

/** Returns the values of a repeated int64 field, single or packed. */
export function readInts(field: ProtobufField): number[] {
  if (field.kind === "varint") return [asInt64(field.value)];
  const cursor = { bytes: field.value, at: 0 };
  const values: number[] = [];
  while (cursor.at < field.value.length) values.push(readShort(cursor) ?? asInt64(readVarint(cursor)));
  return values;
}

/** Returns the values of a repeated float field, single or packed. */
export function readFloats(field: ProtobufField): number[] {
  const bytes = field.kind === "varint" ? new Uint8Array() : field.value;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => view.getFloat32(4 * at, true));
}

/** Returns the text of a string field. Invalid UTF-8 becomes U+FFFD. */
export function readText(field: ProtobufField): string {
  if (field.kind !== "bytes")
    throw new ModelInvalid("The file is not an ONNX model: a name in it is not a text.");
  return decoder.decode(field.value);
}

/** Returns the bytes of an embedded message. */
export function readBytes(field: ProtobufField): Uint8Array {
  if (field.kind !== "bytes")
    throw new ModelInvalid("The file is not an ONNX model: a part of it is not a message.");
  return field.value;
}

/** Returns the bytes of the messages with this field number. */
export function messagesOf(bytes: Uint8Array, fieldNumber: number): Uint8Array[] {
  return Array.from(readFields(bytes))
    .filter(({ field }) => field === fieldNumber)
    .map(readBytes);
}

function asInt64(value: bigint): number {
  return Number(BigInt.asIntN(64, value));
}

type Cursor = { bytes: Uint8Array; at: number };

/**
 * Reads a varint of at most four bytes, which is the usual length, much faster than `readVarint`. Returns null and
 * reads nothing for longer ones.
 */
function readShort(cursor: Cursor): number | null {
  let value = 0;
  for (let length = 1; length <= 4; length++) {
    const byte = cursor.bytes[cursor.at + length - 1];
    if (byte === undefined) return null;
    value |= (byte & 127) << (7 * (length - 1));
    if (byte < 128) {
      cursor.at += length;
      return value;
    }
  }
  return null;
}

function readVarint(cursor: Cursor): bigint {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = cursor.bytes[cursor.at++];
    if (byte === undefined) throw new ModelInvalid("The file is not an ONNX model or is truncated.");
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return BigInt.asUintN(64, value);
  }
  throw new ModelInvalid("The file is not an ONNX model: a number in it is too long.");
}

function take(cursor: Cursor, length: number): Uint8Array {
  if (length > cursor.bytes.length - cursor.at) {
    throw new ModelInvalid("The file is not an ONNX model or is truncated.");
  }
  const part = cursor.bytes.subarray(cursor.at, cursor.at + length);
  cursor.at += length;
  return part;
}
