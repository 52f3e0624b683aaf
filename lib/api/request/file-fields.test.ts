import fc from "fast-check";
import { expect, test } from "vitest";
import { FileFields } from "./file-fields.ts";

type Scanned = { rest: string; files: Record<string, string>; ended: string[] };

/** Scans a body in pieces that are cut at these positions. */
function scan(body: string, cuts: readonly number[] = []): Scanned {
  const bytes = Buffer.from(body);
  const fields = new FileFields(["fileData", "rows"], (field) => `<${field}>`);
  const rest: Uint8Array[] = [];
  const files: Record<string, string> = {};
  const ended: string[] = [];
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  ends.forEach((end, index) => {
    for (const part of fields.scan(bytes.subarray(ends[index - 1] ?? 0, end))) {
      if (part.field === null) rest.push(part.bytes);
      else files[part.field] = (files[part.field] ?? "") + Buffer.from(part.bytes).toString("latin1");
      if (part.ends) ended.push(part.field!);
    }
  });
  return { rest: Buffer.concat(rest).toString(), files, ended };
}

const name = fc.constantFrom("fileData", "rows", "title", 'a"b\\', "fileData2", "ü");
const ascii = fc.string({ unit: fc.constantFrom(...'aZ09+/= "\\\n\t{}[],:'), maxLength: 12 });
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    ascii,
    fc.constantFrom(1, null, true),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(name, tie("any"), { maxKeys: 3 }),
  ),
})).any;

test("separates files from the other text for all cuts and escapes", () => {
  const body = fc.dictionary(name, value, { maxKeys: 5 });
  const style = fc.record({
    slashes: fc.boolean(),
    unicode: fc.boolean(),
    indent: fc.constantFrom("", "  "),
  });
  fc.assert(
    fc.property(
      body,
      style,
      fc.array(fc.nat(), { maxLength: 4 }),
      (object, { slashes, unicode, indent }, cuts) => {
        let json = JSON.stringify(object, null, indent);
        if (slashes) json = json.replaceAll("/", "\\/");
        if (unicode) json = json.replaceAll("Z", "\\u005a").replaceAll("D", "\\u0044");
        const { rest, files, ended } = scan(json, cuts);
        const expected = { ...object };
        for (const field of ["fileData", "rows"]) {
          if (typeof object[field] !== "string") continue;
          expect(files[field] ?? "").toBe(object[field]);
          if (object[field] === "") continue;
          expect(ended).toContain(field);
          expected[field] = `<${field}>`;
        }
        expect(JSON.parse(rest)).toEqual(expected);
      },
    ),
    { numRuns: 2000 },
  );
});

test("invalid JSON remains invalid", () => {
  const text = fc.string({
    unit: fc.constantFrom(...'{}[]:," 1', '"fileData":"', '"rows"'),
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 3 }), (body, cuts) => {
      expect(isJson(scan(body, cuts).rest)).toBe(isJson(body));
    }),
    { numRuns: 5000 },
  );
  const file = fc.string({ unit: fc.constantFrom(...'\\\\"/nu0aqé'), maxLength: 8 });
  fc.assert(
    fc.property(file, fc.array(fc.nat(), { maxLength: 3 }), (text, cuts) => {
      const body = `{"fileData":"${text}","title":"a"}`;
      expect(isJson(scan(body, cuts).rest)).toBe(isJson(body));
    }),
    { numRuns: 5000 },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ["in a nested object", '{"a":{"fileData":"x"}}'],
  ["in a list", '[{"fileData":"x"},"fileData","y"]'],
  ["as the body", '"fileData"'],
  ["as no text", '{"fileData":["x"],"rows":1}'],
])("does not treat %s with a file field's name as a file", (_, body) => {
  expect(scan(body)).toEqual({ rest: body, files: {}, ended: [] });
});

test("non-ASCII escapes are not base64 characters, and invalid escapes stay in the JSON", () => {
  const { rest, files } = scan('{"fileData":"a\\u20acb\\u00zzc\\xd"}');
  expect(files).toEqual({ fileData: "a\xffbcd" });
  expect(rest).toBe('{"fileData":"<fileData>\\u00zz\\x"}');
});
