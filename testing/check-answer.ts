import os from "node:os";
import path from "node:path";
import { inject } from "vitest";
import { OpenApiSchemas } from "./openapi-schemas.ts";
import { dataRoot } from "./run-folder.ts";

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

type AnswerToCheck = {
  /** Id in the route's declaration; undefined for a route without a declaration. */
  operationId: string | undefined;
  method: string;
  pathname: string;
  status: number;
  headers: Headers;
  text: string;
  /** Parsed body; undefined if it is not JSON. */
  body: unknown;
};

/** Headers of HTTP itself. The document does not list them. */
const common = new Set(["content-type", "content-length", "cache-control", "pragma"]);

/**
 * Checks an answer against the service's OpenAPI document: status, media type, headers and body. Messages must not
 * reveal internals of the service. Ignores routes that a test declares for itself, because the document does not list
 * them. A path or method outside of the document must answer 404 or 405.
 *
 * @throws {Error} naming every mismatch
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
  const issues = documented
    ? [
        ...headerIssues(document, schemas, documented, answer.headers),
        ...bodyIssues(schemas, documented, answer),
        ...leaks(answer.body),
      ]
    : [`the status ${answer.status} is not documented`];
  if (issues.length === 0) return;
  const excerpt = answer.text.slice(0, 2_000);
  throw new Error(
    `${operationId} does not match the OpenAPI document: ${issues.join("; ")}\n${answer.status} ${excerpt}`,
  );
}

let loaded: ReturnType<typeof load> | undefined;

/** Loads the document. Maps operations by id and, for routes without a declaration, by method and path. */
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

function headerIssues(
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
      return schemas.issues(schema, typed).map((issue) => `header ${name} (${value}): ${issue}`);
    }),
  ];
}

function bodyIssues(schemas: OpenApiSchemas, documented: Answer, answer: AnswerToCheck): string[] {
  const type = answer.headers.get("content-type")?.split(";")[0];
  if (documented.content === undefined) return answer.text === "" ? [] : ["a body is not documented"];
  const content = type === undefined ? undefined : documented.content[type];
  if (content === undefined) return [`the content type ${type} is not documented`];
  if (answer.body === undefined) return [];
  // Codes of JSON-RPC are numbers, and their example has another name.
  const code = (answer.body as { error?: { code?: string | number } } | null)?.error?.code;
  const codes = Object.keys(content.examples ?? {});
  return [
    ...(content.schema ? schemas.issues(content.schema, answer.body) : []),
    ...(answer.status >= 400 && typeof code === "string" && !codes.includes(code)
      ? [`the code ${code} is not documented, only ${codes.join(", ")}`]
      : []),
  ];
}

const internals: [name: string, pattern: RegExp][] = [
  ["a stack trace", /\n\s+at |\bnode:internal|\bnode_modules\b|\.[cm]?[jt]sx?:\d+/],
  ["a path", /\bfile:\/\/|(?<![\w.…])\/(?:home|root|usr|var|tmp|etc|opt|proc|work|app)\/\w/],
  [
    "SQL",
    /\b(?:select .+ from|insert into|update .+ set|delete from) |\b(?:relation|column) "\w+" (?:does not|of relation|violates)|\bviolates \S+(?: \S+)? constraint|duplicate key value|syntax error at or near|SQLSTATE/i,
  ],
];
const folders = [process.cwd(), path.dirname(process.execPath), `${dataRoot}/`, `${os.tmpdir()}/`];

/** Returns the internals that messages in the body reveal. Covers errors and failed jobs. */
function leaks(body: unknown): string[] {
  return messagesIn(body).flatMap((message) => [
    ...internals.filter(([, pattern]) => pattern.test(message)).map(([name]) => `${name} in: ${message}`),
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
