import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type OpenApi = { components?: { schemas?: Record<string, object> } };

const prefix = "#/components/schemas/";

/**
 * The JSON schemas of an OpenAPI document, for tests. Clients ignore fields that they do not know, so the document forbids
 * none in answers; here a field that it does not name is a fault.
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
   * What is wrong with a value, one line a fault.
   *
   * @param schema an object of the document
   */
  faults(schema: object, value: unknown): string[] {
    const validate = this.#compiled.get(schema) ?? this.#ajv.compile(closed(schema as Json) as object);
    this.#compiled.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** References by name alone; every schema of an object that says nothing of further fields forbids them. */
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
