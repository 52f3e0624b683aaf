/** Parts of JSON Schema that the service's OpenAPI document uses. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  examples?: unknown[];
  format?: string;
  additionalProperties?: boolean | JsonSchema;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
};

export type ReferenceField = { name: string; type: string; required: boolean; description: string };

const formats: Record<string, string> = { uuid: "GUID", "date-time": "time", date: "date", email: "email" };
const nestingMax = 3;
/** Numbers without a bound have the largest safe integer as their limit. */
const unbounded = 1e15;

export const schemaName = ({ $ref }: JsonSchema) => $ref?.replace("#/components/schemas/", "");

/** Describes a type: "array of Scenario", "GUID or null". */
export function typeText(schema: JsonSchema): string {
  const name = schemaName(schema);
  if (name) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf ?? schema.oneOf) return [...new Set(choicesOf(schema).map(typeText))].join(" or ");
  if (schema.allOf) return schema.allOf.map(typeText).join(" and ");
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  if (schema.type === "array") {
    const item = typeText(schema.items ?? {});
    return item.includes(" ") ? `array of (${item})` : `array of ${item}`;
  }
  if (schema.type === "object" && !schema.properties && typeof schema.additionalProperties === "object") {
    return `map of ${typeText(schema.additionalProperties)}`;
  }
  return (schema.format && formats[schema.format]) ?? schema.type ?? "any";
}

/** Returns the alternatives of a value, with nested alternatives flattened. */
const choicesOf = (schema: JsonSchema): JsonSchema[] =>
  (schema.anyOf ?? schema.oneOf)?.flatMap(choicesOf) ?? [schema];

/** Describes limits: "2–100 characters", "1–200"; empty without a meaningful limit. */
function limitText(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, maxItems } = schema;
  if (maxLength !== undefined) {
    return minLength === undefined
      ? `at most ${maxLength} characters`
      : `${minLength}–${maxLength} characters`;
  }
  if (maxItems !== undefined) return `at most ${maxItems}`;
  const high = maximum !== undefined && maximum < unbounded ? maximum : undefined;
  const low = minimum !== undefined && minimum > -unbounded ? minimum : undefined;
  if (exclusiveMinimum !== undefined && high !== undefined)
    return `over ${exclusiveMinimum}, at most ${high}`;
  if (low !== undefined && high !== undefined) return `${low}–${high}`;
  return "";
}

/** Returns the schema of the values other than null. */
function present(schema: JsonSchema): JsonSchema {
  const others = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
  return others.length === 1 && others[0] ? others[0] : schema;
}

function descriptionOf(schema: JsonSchema): string {
  const inner = present(schema);
  const description = schema.description ?? inner.description ?? inner.items?.description ?? "";
  // The type already says GUID.
  const text = description === "GUID" ? "" : description;
  const limit = limitText(inner);
  return [text, text.replace("-", "–").includes(limit) ? "" : limit]
    .filter(Boolean)
    .join(text.endsWith(".") ? " " : "; ");
}

/** Returns the fields of an object, with nested fields under dotted names. Does not expand named schemas. */
export function fieldsOf(schema: JsonSchema, prefix = "", nesting = 0): ReferenceField[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix + key;
    const inner = present(property);
    const item = inner.type === "array" ? present(inner.items ?? {}) : null;
    const nested = item ?? inner;
    return [
      { name, type: typeText(property), required: required.has(key), description: descriptionOf(property) },
      ...(nested.properties && nesting < nestingMax
        ? fieldsOf(nested, item ? `${name}[].` : `${name}.`, nesting + 1)
        : []),
    ];
  });
}
