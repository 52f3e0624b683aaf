import { exampleBody } from "./examples.tsx";
import { fieldsOf, type JsonSchema, type ReferenceField, schemaName, typeText } from "./schema-text.tsx";

type Content = Record<string, { schema?: JsonSchema }>;
type OperationObject = {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: Record<string, unknown>[];
  parameters?: {
    in: string;
    name: string;
    required?: boolean;
    description?: string;
    schema?: JsonSchema;
  }[];
  requestBody?: { content: Content };
  responses?: Record<string, { description?: string; content?: Content }>;
};

/** The parts of an OpenAPI document that the reference shows. */
type ApiDocument = {
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, JsonSchema> };
};

export type ReferenceParameter = ReferenceField & { place: string };
export type ReferenceOperation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  auth: "key" | "session" | "none";
  parameters: ReferenceParameter[];
  /** Null without a body; `fields` is empty and `example` null for one that is no JSON. */
  body: { mediaTypes: string[]; fields: ReferenceField[]; example: unknown } | null;
  success: { status: string; description: string; data: string | null; mediaTypes: string[] };
  failures: { status: string; description: string }[];
};
export type Reference = {
  sections: { tag: string; operations: ReferenceOperation[] }[];
  objects: { name: string; fields: ReferenceField[] }[];
};

const methodOrder = ["get", "post", "put", "patch", "delete"];
/** Tags in the order in which one meets them; others follow as they come. */
const tagOrder = [
  "Projects",
  "Data",
  "Models",
  "Predictions",
  "Checkpoints",
  "Scenarios",
  "Jobs",
  "Realtime",
];
const rank = (list: readonly string[], item: string) => {
  const at = list.indexOf(item);
  return at < 0 ? list.length : at;
};

/** Everything that the reference page shows, decided once: operations by tag, the objects that they answer with. */
export function prepareReference(document: object): Reference {
  // As the JSON goes out: without what the library that makes it keeps beside.
  const { paths, components } = JSON.parse(JSON.stringify(document)) as ApiDocument;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      tag: operation.tags?.[0] ?? "Other",
      operation: prepareOperation(path, method, operation),
    })),
  );
  const tags = [...new Set(operations.map(({ tag }) => tag))].sort(
    (a, b) => rank(tagOrder, a) - rank(tagOrder, b),
  );
  return {
    sections: tags.map((tag) => ({
      tag,
      operations: operations
        .filter((entry) => entry.tag === tag)
        .map(({ operation }) => operation)
        .sort(
          (a, b) =>
            a.path.localeCompare(b.path) ||
            rank(methodOrder, a.method.toLowerCase()) - rank(methodOrder, b.method.toLowerCase()),
        ),
    })),
    objects: Object.entries(components.schemas)
      .filter(([, { properties }]) => properties)
      .map(([name, schema]) => ({ name, fields: fieldsOf(schema) }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  };
}

function prepareOperation(path: string, method: string, operation: OperationObject): ReferenceOperation {
  const id = operation.operationId ?? `${method} ${path}`;
  const responses = Object.entries(operation.responses ?? {});
  const [status = "200", success] = responses.find(([code]) => code.startsWith("2")) ?? [];
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
      description: parameter.description ?? parameter.schema?.description ?? "",
    })),
    body: operation.requestBody ? prepareBody(id, operation.requestBody.content) : null,
    success: {
      status,
      description: success?.description ?? "",
      data: dataText(success?.content?.["application/json"]?.schema),
      mediaTypes: Object.keys(success?.content ?? {}),
    },
    failures: responses
      .filter(([code]) => !code.startsWith("2"))
      .map(([code, { description = "" }]) => ({ status: code, description })),
  };
}

function authOf({ security }: OperationObject): ReferenceOperation["auth"] {
  if (!security || security.length === 0) return "none";
  return security.some((way) => "apiKey" in way) ? "key" : "session";
}

function prepareBody(operationId: string, content: Content): NonNullable<ReferenceOperation["body"]> {
  const schema = content["application/json"]?.schema;
  return {
    mediaTypes: Object.keys(content),
    fields: schema ? fieldsOf(schema) : [],
    example: schema ? exampleBody(operationId, schema) : null,
  };
}

/** What the envelope's `data` holds. */
function dataText(schema: JsonSchema | undefined): string | null {
  if (!schema) return null;
  const data = schema.properties?.success ? schema.properties.data : schema;
  return data ? (schemaName(data) ?? typeText(data)) : null;
}
