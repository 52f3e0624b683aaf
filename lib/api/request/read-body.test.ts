import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJsonBytes } from "./read-body.ts";

test("parses any JSON body to the value that was sent", () => {
  const plain = fc.jsonValue().filter((value) => !/__proto__/.test(JSON.stringify(value)));
  fc.assert(
    fc.property(plain, (value) => {
      expect(parseJsonBytes(Buffer.from(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test.each([
  ['{"__proto__":{}}', "__proto__"],
  ['{"\\u005f_proto__":{}}', "__proto__"],
])("rejects %s", (text, named) => {
  expect(() => parseJsonBytes(Buffer.from(text))).toThrow(
    expect.objectContaining({ code: "malformed_json", message: expect.stringContaining(named) }),
  );
});

test.each(['{"a":[1,NaN]}', '{"a":Infinity}', '{"a":None}', '{"a":True}'])(
  "the message for %s names the valid JSON values",
  (text) => {
    expect(() => parseJsonBytes(Buffer.from(text))).toThrow("Send null instead of NaN, Infinity and None");
  },
);
