import { type OpenApi, operationsOf } from "./openapi-operations.ts";

// Writes the parts of the package `client` that follow from the OpenAPI document.

type Schema = {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  type?: string | string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
};

const note =
  "// Written by lib/api/openapi/client-package.test.ts: run it with -u after a change of the API.\n";
const primitives: Record<string, string> = { integer: "number", null: "null" };
const nameOf = (name: string) => (/^\w+$/.test(name) ? name : JSON.stringify(name));

/** Returns the TypeScript type of the values that a schema allows. */
function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1)!;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf) return union(schema.anyOf.map((one) => typeOf(one, indent)));
  if (Array.isArray(schema.type))
    return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
  if (schema.type === "array") return `(${typeOf(schema.items ?? {}, indent)})[]`;
  if (schema.type === "object") return objectType(schema, indent);
  return schema.type === undefined ? "unknown" : (primitives[schema.type] ?? schema.type);
}

const union = (types: string[]) => [...new Set(types)].join(" | ");

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties ?? {}).map(([name, schema]) => {
    const about = schema.description ? `${inner}/** ${schema.description.replaceAll("*/", "* /")} */\n` : "";
    return `${about}${inner}${nameOf(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema, inner)};\n`;
  });
  const others = typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "unknown";
  if (fields.length === 0)
    return additionalProperties === false ? "Record<never, never>" : `Record<string, ${others}>`;
  return `{\n${fields.join("")}${indent}}`;
}

const inApi = (path: string) => path.startsWith("/api/v1/");

/** Returns the declarations of all requests and responses of the API. */
export function clientTypes(document: OpenApi): string {
  const operations = operationsOf(document).filter(({ path }) => inApi(path));
  const types = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema, "")};\n`,
  );
  const paths = Object.entries(Object.groupBy(operations, ({ path }) => path)).map(([path, methods = []]) => {
    const lines = methods.map(
      (operation) =>
        `    /** ${operation.summary} */\n    ${operation.method.toLowerCase()}: ${operationType(operation)};\n`,
    );
    return `  "${path.slice("/api/v1".length)}": {\n${lines.join("")}  };\n`;
  });
  return `${note}
/** Addresses of POST requests that support \`Idempotency-Key\`. */
export declare const repeatable: ReadonlySet<string>;

/** Requests and responses by address and method. */
export interface Paths {
${paths.join("")}}

${types.join("\n")}`;
}

function operationType({
  parameters = [],
  requestBody,
  responses,
}: ReturnType<typeof operationsOf>[number]): string {
  const inPlace = (place: string) => {
    const some = parameters.filter((one) => one.in === place);
    const isRequired = some.some((one) => (one as { required?: boolean }).required);
    const properties = Object.fromEntries(some.map(({ name, schema }) => [name, schema]));
    const required = some.filter((one) => (one as { required?: boolean }).required).map(({ name }) => name);
    const type = objectType({ properties, required }, "      ");
    return some.length === 0 ? "" : `      ${place}${isRequired ? "" : "?"}: ${type};\n`;
  };
  const json = requestBody?.content["application/json"]?.schema as Schema | undefined;
  const file = "Blob | Uint8Array<ArrayBuffer> | string";
  const body = requestBody ? `      body: ${json ? typeOf(json, "      ") : file};\n` : "";
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  const envelope = success?.content?.["application/json"]?.schema as Schema | undefined;
  const response = envelope?.properties?.data ? typeOf(envelope.properties.data, "      ") : "unknown";
  return `{\n${inPlace("path")}${inPlace("query")}${body}      response: ${response};\n    }`;
}

/** Returns the module that names the requests that may be repeated. */
export function clientRepeatable(document: OpenApi): string {
  const paths = operationsOf(document).filter(
    ({ path, method, parameters }) =>
      inApi(path) && method === "POST" && parameters?.some(({ name }) => name === "Idempotency-Key"),
  );
  const lines = paths.map(({ path }) => `  "${path.slice("/api/v1".length)}",\n`);
  return `${note}
/** Addresses of POST requests that support \`Idempotency-Key\`. */
export const repeatable = new Set([
${lines.join("")}]);
`;
}
