import fc from "fast-check";
import { type FieldPath, withValue } from "#testing/body-fields";
import { naughtyTexts } from "#testing/hostile-texts";
import { idOf } from "./ids.ts";
import { Later } from "./later.ts";

const nested = (depth: number) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Values that almost every field rejects. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  // Objects whose `toString` is no function cannot become strings.
  fc.constantFrom(null, true, "", " ", [], {}, [[]], [null], { toString: 1 }, nested(300)),
  fc.constantFrom(0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -1e308, 5e-324, 10_001),
  fc.constantFrom(
    ...naughtyTexts,
    "a\0b",
    "\ud800",
    "x".repeat(5_000),
    "0000-01-01",
    "9999-12-31T23:59:59-23:59",
  ),
  fc.string({ unit: "binary" }),
  fc.jsonValue({ maxDepth: 3 }),
  idOf("checkpoint"),
);
const oddName = fc.constantFrom(
  "__proto__",
  "constructor",
  "toString",
  "unknown",
  "",
  "a.b",
  "id",
  "success",
);

export type Change = (old: unknown) => unknown;
/** Changes of one value. `undefined` removes the field from the JSON. */
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: oddValue.map(
      (value): Change =>
        () =>
          value,
    ),
  },
  { weight: 2, arbitrary: fc.constant<Change>(() => undefined) },
  { weight: 1, arbitrary: fc.constant<Change>((old) => [old]) },
  {
    weight: 1,
    arbitrary: fc.constant<Change>((old) => (Array.isArray(old) ? [...old, ...old] : [old, old])),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: -1, max: 1 }).map(
      (by): Change =>
        (old) =>
          typeof old === "number" ? old + by : by,
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(oddName, oddValue).map(
      ([name, value]): Change =>
        (old) =>
          isObject(old) ? { ...old, [name]: value } : value,
    ),
  },
);

/** Changes that break a body in one place. */
export const breakBody: fc.Arbitrary<Change> = fc
  .tuple(fc.nat(1_000), change)
  .map(([at, applyChange]) => (body) => {
    const places = placesOf(body, []);
    const place = places[at % places.length]!;
    return withValue(body, place, applyChange(valueAt(body, place)));
  });

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Later);

function placesOf(value: unknown, path: FieldPath): FieldPath[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((item, at) => placesOf(item, [...path, at]))];
  if (!isObject(value)) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => placesOf(inner, [...path, name]))];
}

function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value);
}

/** Changes that break the text of a body before it is sent. */
export const breakText: fc.Arbitrary<(text: string) => string | Uint8Array> = fc.oneof(
  fc.nat(300).map((at) => (text: string) => text.slice(0, at % (text.length + 1))),
  fc.constantFrom(
    (text: string) => `${text}x`,
    (text: string) => `\ufeff${text}`,
    (text: string) => text.replace(/\d+/, "1e400"),
    (text: string) => text.replace(/\d+/, "9".repeat(500)),
    (text: string) => text.replace("{", '{"name":1,"name":{},"__proto__":{"admin":true},'),
    (text: string) => text.replaceAll('"', "'"),
    (text: string) => text.replace(/"(?=[^"]*$)/, '\\ud83d"'),
    (text: string) => Buffer.from(text, "utf16le"),
    (text: string) =>
      Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.of(0xff, 0xfe), Buffer.from(text.slice(-2))]),
    () => "",
    () => "null",
    () => "[".repeat(20_000),
    () => `{"name":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
  ),
);
