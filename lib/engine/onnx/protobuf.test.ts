import fc from "fast-check";
import { expect, test } from "vitest";
import { ProtobufWriter, readFields, readInts, readText } from "./protobuf.ts";

const field = fc.integer({ min: 1, max: 536_870_911 });
const int = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, 127, 128, 2 ** 31 - 1, 2 ** 31, -1, -(2 ** 31)));

test("reads back integers, packed integers, text and floats", () => {
  const written = fc.record({
    field,
    int,
    ints: fc.array(int),
    text: fc.string(),
    float: fc.float({ noNaN: true }),
  });
  fc.assert(
    fc.property(written, (value) => {
      const bytes = new ProtobufWriter()
        .int(value.field, value.int)
        .packedInts(value.field, value.ints)
        .string(value.field, value.text)
        .float(value.field, value.float)
        .packedFloats(value.field, [value.float, value.float])
        .finish();
      const [one, packed, text, single, floats] = [...readFields(bytes)];
      expect(one!.field).toBe(value.field);
      // Integers have no -0.
      expect(readInts(one!)).toEqual([value.int + 0]);
      expect(readInts(packed!)).toEqual(value.ints.map((item) => item + 0));
      expect(readText(text!)).toBe(new TextDecoder().decode(new TextEncoder().encode(value.text)));
      const asFloat = (part: Uint8Array, at: number) =>
        new DataView(part.buffer, part.byteOffset).getFloat32(at, true);
      expect(asFloat(single!.value as Uint8Array, 0)).toBe(value.float);
      expect(asFloat(floats!.value as Uint8Array, 4)).toBe(value.float);
    }),
  );
});

test("matches the encoding guide's examples", () => {
  expect(new ProtobufWriter().int(1, 150).finish()).toEqual(Uint8Array.of(0x08, 0x96, 0x01));
  const testing = Uint8Array.of(0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67);
  expect(new ProtobufWriter().string(2, "testing").finish()).toEqual(testing);
  expect(new ProtobufWriter().int(1, -1).finish()).toHaveLength(11);
});

test("rejects a field beyond the end and an endless number", () => {
  expect(() => [...readFields(Uint8Array.of(0x12, 0x07, 0x74))]).toThrow("truncated");
  expect(() => [...readFields(Uint8Array.of(0x08, 0x96))]).toThrow("truncated");
  expect(() => [...readFields(new Uint8Array(20).fill(0xff))]).toThrow("too long");
  expect(() => [...readFields(Uint8Array.of(0x0b))]).toThrow("unknown kind");
  expect(() => [...readFields(Uint8Array.of(0x00))]).toThrow("numbered 0");
});
