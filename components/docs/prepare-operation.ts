import type { Content, OperationObject, ReferenceExample, ReferenceOperation } from "./reference.ts";
import { fieldsOf, type JsonSchema, schemaName, typeText } from "./schema-text.ts";

const failing = (status: string) => status >= "4";

/** Prepares one operation for the reference page. */
export function prepareOperation(
  path: string,
  method: string,
  operation: OperationObject,
): ReferenceOperation {
  const id = operation.operationId ?? `${method} ${path}`;
  const responses = Object.entries(operation.responses ?? {});
  const [status = "200", success] = responses.find(([code]) => !failing(code)) ?? [];
  const json = success?.content?.["application/json"];
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? id,
    description: operation.description ?? "",
    auth: authOf(operation),
    parameters: (operation.parameters ?? []).map((parameter) => ({
      name: parameter.name,
      place: parameter.in,
      type: typeText(parameter.schema ?? {}),
      required: parameter.required ?? false,
      description: parameter.description ?? "",
      example: [parameter.example ?? ""].flat().join(","),
    })),
    body: operation.requestBody ? prepareBody(operation.requestBody.content) : null,
    success: {
      status,
      description: success?.description ?? "",
      data: dataText(json?.schema),
      mediaTypes: Object.keys(success?.content ?? {}),
      headers: Object.keys(success?.headers ?? {}),
      examples: examplesOf(json ?? Object.values(success?.content ?? {})[0]),
    },
    failures: responses
      .filter(([code, { content }]) => failing(code) && content)
      .map(([code, { description = "" }]) => ({ status: code, codes: codesOf(description) })),
  };
}

function authOf({ security }: OperationObject): ReferenceOperation["auth"] {
  if (!security || security.length === 0) return "none";
  return security.some((way) => "apiKey" in way) ? "key" : "session";
}

function prepareBody(content: Content): NonNullable<ReferenceOperation["body"]> {
  const json = content["application/json"];
  return {
    mediaTypes: Object.keys(content),
    fields: json?.schema ? fieldsOf(json.schema) : [],
    examples: examplesOf(json),
  };
}

function examplesOf(content: Content[string] | undefined): ReferenceExample[] {
  return Object.entries(content?.examples ?? {}).map(([name, { summary, value }]) => ({
    name,
    summary: summary ?? name.charAt(0).toUpperCase() + name.slice(1),
    value,
  }));
}

/** Splits the description of an error response into its error codes and their meanings, one per paragraph. */
function codesOf(description: string): { code: string; meaning: string }[] {
  return description.split("\n\n").map((paragraph) => {
    const [, code, meaning] = /^`(\w+)`: (.*)$/s.exec(paragraph) ?? [];
    return code === undefined ? { code: "", meaning: paragraph } : { code, meaning: meaning ?? "" };
  });
}

/** Returns the schema of the envelope's `data`. */
function dataText(schema: JsonSchema | undefined): string | null {
  if (!schema) return null;
  const data = schema.properties?.success && schema.properties.data ? schema.properties.data : schema;
  return schemaName(data) ?? typeText(data);
}
