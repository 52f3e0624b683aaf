import os from "node:os";
import path from "node:path";
import { inject } from "vitest";
import { OpenApiSchemas } from "./openapi-schemas.ts";

type Header = { required?: boolean; schema: object };
type Answer = {
  headers?: Record<string, Header | { $ref: string }>;
  content?: Record<string, { schema?: object; examples?: object }>;
};
type Operation = { operationId: string; responses: Record<string, Answer> };
type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { headers: Record<string, Header>; schemas: Record<string, object> };
};

export type AnswerToCheck = {
  /** Of the declaration that the route was made from; undefined where it was made without. */
  operationId: string | undefined;
  method: string;
  pathname: string;
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined where it is no JSON. */
  body: unknown;
};

/** Headers of HTTP itself, which the document does not repeat. */
const common = new Set(["content-type", "content-length", "cache-control", "pragma"]);

/**
 * Holds an answer against the service's OpenAPI document: status, media type, headers, body, and that no error tells of
 * the inside. Routes that a test declared for itself are in no document and are left alone; an address or method that is
 * not in it is answered by 404 or 405.
 *
 * @throws {Error} that names every fault
 */
export function checkAnswer(answer: AnswerToCheck): void {
  loaded ??= load();
  const { document, schemas, operations } = loaded;
  const operation = operations.get(answer.operationId ?? `${answer.method} ${answer.pathname}`);
  if (operation === undefined) {
    const unknown = answer.status === 404 || answer.status === 405;
    if (answer.operationId !== undefined || unknown) return;
    throw new Error(`${answer.method} ${answer.pathname} is not in the OpenAPI document`);
  }
  const { operationId, responses } = operation;
  const documented = responses[answer.status];
  const faults = documented
    ? [
        ...headerFaults(document, schemas, documented, answer.headers),
        ...bodyFaults(schemas, documented, answer),
        ...leaks(answer.body),
      ]
    : [`the status ${answer.status} is not documented`];
  if (faults.length === 0) return;
  const told = answer.text.slice(0, 2_000);
  throw new Error(`${operationId} breaks its document: ${faults.join("; ")}\n${answer.status} ${told}`);
}

let loaded: ReturnType<typeof load> | undefined;

/** Operations by their ids; by method and path too, for those without a declaration. */
function load() {
  const document = JSON.parse(inject("openApi")) as OpenApi;
  const operations = new Map(
    Object.entries(document.paths).flatMap(([route, item]) =>
      Object.entries(item).flatMap(([method, operation]) => [
        [operation.operationId, operation] as const,
        [`${method.toUpperCase()} ${route}`, operation] as const,
      ]),
    ),
  );
  return { document, schemas: new OpenApiSchemas(document), operations };
}

function headerFaults(
  document: OpenApi,
  schemas: OpenApiSchemas,
  documented: Answer,
  headers: Headers,
): string[] {
  const known = Object.entries(documented.headers ?? {}).map(([name, header]) => {
    const reference = "$ref" in header ? header.$ref.replace("#/components/headers/", "") : null;
    return [name, reference === null ? (header as Header) : document.components.headers[reference]!] as const;
  });
  const names = new Set(known.map(([name]) => name.toLowerCase()));
  const unknown = [...headers.keys()].filter((name) => !common.has(name) && !names.has(name));
  return [
    ...unknown.map((name) => `the header ${name} is not documented`),
    ...known.flatMap(([name, { required, schema }]) => {
      const value = headers.get(name);
      if (value === null) return required ? [`the header ${name} is missing`] : [];
      const typed = "type" in schema && schema.type === "integer" ? Number(value) : value;
      return schemas.faults(schema, typed).map((fault) => `header ${name} (${value}): ${fault}`);
    }),
  ];
}

function bodyFaults(schemas: OpenApiSchemas, documented: Answer, answer: AnswerToCheck): string[] {
  const type = answer.headers.get("content-type")?.split(";")[0];
  if (documented.content === undefined) return answer.text === "" ? [] : ["a body is not documented"];
  const content = type === undefined ? undefined : documented.content[type];
  if (content === undefined) return [`the content type ${type} is not documented`];
  if (answer.body === undefined) return [];
  const code = (answer.body as { error?: { code?: string } } | null)?.error?.code;
  const codes = Object.keys(content.examples ?? {});
  return [
    ...(content.schema ? schemas.faults(content.schema, answer.body) : []),
    ...(answer.status >= 400 && code !== undefined && !codes.includes(code)
      ? [`the code ${code} is not documented, only ${codes.join(", ")}`]
      : []),
  ];
}

const insides: [what: string, pattern: RegExp][] = [
  ["a stack", /\n\s+at |\bnode:internal|\bnode_modules\b|\.[cm]?[jt]sx?:\d+/],
  ["a path", /\bfile:\/\/|(?<![\w.…])\/(?:home|root|usr|var|tmp|etc|opt|proc|work|app)\/\w/],
  [
    "SQL",
    /\b(?:select .+ from|insert into|update .+ set|delete from) |\b(?:relation|column) "\w+" (?:does not|of relation|violates)|\bviolates \S+(?: \S+)? constraint|duplicate key value|syntax error at or near|SQLSTATE/i,
  ],
];
const folders = [process.cwd(), path.dirname(process.execPath), `${os.tmpdir()}/`];

/** Every `message` in the body, of errors and of failed jobs alike. */
function leaks(body: unknown): string[] {
  return messagesIn(body).flatMap((message) => [
    ...insides.filter(([, pattern]) => pattern.test(message)).map(([what]) => `${what} in: ${message}`),
    ...folders.filter((folder) => message.includes(folder)).map(() => `a path in: ${message}`),
  ]);
}

function messagesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(messagesIn);
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "message" && typeof inner === "string" ? [inner] : messagesIn(inner),
  );
}
