import fc from "fast-check";
import { naughtyTexts } from "#testing/hostile-texts";
import { idOf, kindOf } from "./ids.ts";
import { meanings } from "./meanings.ts";

/** The part of JSON Schema that the OpenAPI document uses. */
export type Schema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
};
export type Schemas = Readonly<Record<string, Schema>>;

/** Optional fields without which few requests succeed. */
const seldomOmitted = new Set(["fileData", "dependentProjectCheckpoints", "timestamp"]);

/** Marks a property that the object omits. */
const absent = Symbol("absent");

/** Generates values that a schema allows. Fields in `meanings` mostly get meaningful values. */
export function validValue(schema: Schema, schemas: Schemas, name = ""): fc.Arbitrary<unknown> {
  const allowed = ofSchema(schema, schemas, name);
  const meant = Object.hasOwn(meanings, name) ? meanings[name] : undefined;
  return meant ? fc.oneof({ weight: 9, arbitrary: meant }, { weight: 1, arbitrary: allowed }) : allowed;
}

function ofSchema(schema: Schema, schemas: Schemas, name: string): fc.Arbitrary<unknown> {
  if (schema.$ref) return validValue(schemas[schema.$ref.split("/").at(-1)!]!, schemas, name);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => ofSchema(one, schemas, name)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === "string") return textOf(schema, name);
  if (schema.type === "integer") return integerOf(schema);
  if (schema.type === "number") return numberOf(schema);
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "null") return fc.constant(null);
  if (schema.type === "object") return objectOf(schema, schemas);
  if (schema.type === "array") {
    const { minItems = 0, maxItems = 4 } = schema;
    const maxLength = Math.max(minItems, Math.min(maxItems, 4));
    return fc.array(ofSchema(schema.items!, schemas, name), { minLength: minItems, maxLength });
  }
  return fc.jsonValue({ maxDepth: 2 });
}

function textOf(
  { format, pattern, minLength = 0, maxLength = 200 }: Schema,
  name: string,
): fc.Arbitrary<unknown> {
  if (format === "uuid") return idOf(kindOf(name));
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === "date") {
    const [min, max] = [new Date("0001-01-01"), new Date("9999-12-31")];
    return fc.date({ noInvalidDate: true, min, max }).map((date) => date.toISOString().slice(0, 10));
  }
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  const fitting = naughtyTexts.filter(({ length }) => length >= minLength && length <= maxLength);
  return fc.oneof(
    { weight: 3, arbitrary: fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 30) }) },
    { weight: 2, arbitrary: fc.constantFrom(...fitting) },
    { weight: 1, arbitrary: fc.constantFrom("x".repeat(minLength), "x".repeat(Math.min(maxLength, 5_000))) },
  );
}

function integerOf({ minimum = -1_000_000, maximum = 1_000_000 }: Schema): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, minimum + 50) }) },
    { weight: 1, arbitrary: fc.integer({ min: minimum, max: maximum }) },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
  );
}

function numberOf({ minimum, exclusiveMinimum, maximum }: Schema): fc.Arbitrary<number> {
  const min = minimum ?? exclusiveMinimum ?? -1e12;
  const minExcluded = exclusiveMinimum !== undefined;
  return fc.double({ noNaN: true, min, max: maximum ?? 1e12, minExcluded });
}

function objectOf(schema: Schema, schemas: Schemas): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties } = schema;
  if (properties === undefined) {
    if (typeof additionalProperties !== "object") return fc.constant({});
    const key = fc.string({ minLength: 1, maxLength: 20 });
    return fc.dictionary(key, ofSchema(additionalProperties, schemas, ""), { maxKeys: 4 });
  }
  const fields = Object.entries(properties).map(([name, property]) => {
    const value = validValue(property, schemas, name);
    const weight = required.includes(name) ? 0 : seldomOmitted.has(name) ? 2 : 5;
    const field = fc.oneof({ weight: 2, arbitrary: value }, { weight, arbitrary: fc.constant(absent) });
    return field.map((chosen) => [name, chosen] as const);
  });
  return fc
    .tuple(...fields)
    .map((chosen) => Object.fromEntries(chosen.filter(([, value]) => value !== absent)));
}
