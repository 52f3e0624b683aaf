import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type OpenApi = { components?: { schemas?: Record<string, object> } };

const prefix = "#/components/schemas/";

/**
 * JSON schemas of an OpenAPI document, for tests. Clients ignore unknown fields, so the document allows them in
 * answers. These schemas reject them instead.
 */
export class OpenApiSchemas {
  readonly #ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictRequired: false });
  readonly #compiled = new WeakMap<object, ValidateFunction>();

  constructor({ components }: OpenApi) {
    addFormats.default(this.#ajv);
    this.#ajv.addVocabulary(["example"]);
    for (const [name, schema] of Object.entries(components?.schemas ?? {})) {
      this.#ajv.addSchema(closed(schema as Json) as object, name, false, false);
    }
  }

  /**
   * Returns the issues of a value, one line each.
   *
   * @param schema schema object of the document
   */
  issues(schema: object, value: unknown): string[] {
    const validate = this.#compiled.get(schema) ?? this.#ajv.compile(closed(schema as Json) as object);
    this.#compiled.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** Shortens references to names, and forbids unknown fields in objects without `additionalProperties`. */
function closed(value: Json): Json {
  if (Array.isArray(value)) return value.map(closed);
  if (value === null || typeof value !== "object") return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]));
  if (typeof copy.$ref === "string") copy.$ref = copy.$ref.replace(prefix, "");
  const isObject = copy.type === "object" && copy.properties !== undefined;
  return isObject && copy.additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}
