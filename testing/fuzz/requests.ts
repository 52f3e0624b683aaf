import fc from "fast-check";
import { breakBody, breakText, type Change, oddValue } from "./breaks.ts";
import { csvFile, modelFile } from "./csv-files.ts";
import { idOf, kindOf, pathProject, projectToDelete } from "./ids.ts";
import { Later } from "./later.ts";
import { meanings } from "./meanings.ts";
import { newest } from "./pool.ts";
import { type Schema, type Schemas, validValue } from "./valid-values.ts";
import type { CallerName } from "./world.ts";

type Parameter = { in: "path" | "query" | "header"; name: string; required?: boolean; schema: Schema };
/** Operation of the OpenAPI document. */
export type Operation = {
  operationId: string;
  parameters?: Parameter[];
  security?: Record<string, unknown>[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};

/** Planned request. `Later`s are placeholders for values that exist only when it is sent. */
export type Plan = {
  operationId: string;
  caller: CallerName;
  /** Uses the operation's valid call from `testing/valid-calls.ts`, if there is one. */
  fromExample: boolean;
  /** Path parameters. The example's path parameters, query and body take precedence over these. */
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  headers: Record<string, unknown>;
  /** Query parameters that are added to the others or replace them. */
  oddQuery: Record<string, unknown>;
  breakBody: Change[];
  breakText: ((text: string) => string | Uint8Array) | null;
};

const callers: [weight: number, CallerName][] = [
  [30, "own key"],
  [4, "newest key"],
  [30, "admin"],
  [6, "analyst"],
  [5, "upstream's key"],
  [5, "stranger's key"],
  [1, "revoked key"],
  [1, "broken key"],
  [2, "other origin"],
  [1, "nobody"],
];

/** Generates callers, mostly with permission. The run's users never sign out: later requests need their sessions. */
function callerOf({ operationId, security = [] }: Operation): fc.Arbitrary<CallerName> {
  const fitting = operationId === "signOut" ? callers.slice(-4) : callers;
  const forKeys = security.length === 0 || security.some((one) => "apiKey" in one);
  return fc.oneof(
    ...fitting.map(([weight, name]) => ({
      weight: name === "admin" && !forKeys ? 5 * weight : weight,
      arbitrary: fc.constant(name),
    })),
  );
}

const etag = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.nat(5).map((at) => new Later(({ world }) => newest(world.pool.etags, at) ?? "*")),
  },
  { weight: 1, arbitrary: fc.constantFrom("*", '"x"', 'W/"x", "y"', "x", "", '"'.repeat(99)) },
);
/** Few keys, so that different requests share one. */
const idempotencyKey = fc.oneof(
  fc.nat(30).map((at) => `key-${at}`),
  fc.constantFrom("", " ", "\u00ff\u00e9", "x".repeat(255), "x".repeat(256)),
);

const rarely = <T>(weight: number, arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 100 - weight, arbitrary: fc.constant(undefined) }, { weight, arbitrary });

const headers = fc
  .record({
    "idempotency-key": rarely(15, idempotencyKey),
    "if-match": rarely(6, etag),
    "if-none-match": rarely(10, etag),
    accept: rarely(
      15,
      fc.constantFrom("text/csv", "application/json", "image/png", "*/*;q=0", ",,;", "x".repeat(2_000)),
    ),
    range: rarely(2, fc.constantFrom("bytes=0-10", "bytes=9-1", "rows=1")),
    "content-type": rarely(
      3,
      fc.constantFrom(
        "text/plain",
        "text/csv",
        "application/octet-stream",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "APPLICATION/JSON; charset=UTF-8",
        "application/json; charset=utf-16",
        ";",
      ),
    ),
    "x-request-id": rarely(1, fc.constantFrom("x", "../..", "x".repeat(9_000))),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));

/** Plans the unchanged example of an operation, sent by an admin. */
export function plainRequest({ operationId, requestBody }: Operation): Plan {
  const [type] = Object.keys(requestBody?.content ?? {});
  return {
    operationId,
    caller: "admin",
    fromExample: true,
    params: {},
    query: {},
    oddQuery: {},
    body: undefined,
    breakBody: [],
    breakText: null,
    headers: type === undefined ? {} : { "content-type": type },
  };
}

/** Generates valid and broken requests of an operation. */
export function requestsOf(operation: Operation, schemas: Schemas): fc.Arbitrary<Plan> {
  const { operationId, parameters = [] } = operation;
  const inPlace = (place: Parameter["in"]) => parameters.filter((parameter) => parameter.in === place);
  const queryNames = inPlace("query").map(({ name }) => name);
  const body = bodyOf(operation, schemas);
  return fc.record({
    operationId: fc.constant(operationId),
    caller: callerOf(operation),
    fromExample: fc.oneof(
      { weight: 2, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    params: fc.record(
      Object.fromEntries(inPlace("path").map(({ name }) => [name, pathPart(operationId, name)])),
    ),
    query: queryOf(inPlace("query"), schemas),
    body: body.value,
    headers: headers.map((odd) => ({ ...body.headers, ...odd })),
    oddQuery: fc.oneof(
      { weight: 6, arbitrary: fc.constant({}) },
      {
        weight: 1,
        arbitrary: fc.dictionary(
          fc.constantFrom("unknown", ...queryNames),
          fc.oneof(oddValue, fc.array(oddValue)),
        ),
      },
    ),
    breakBody: fc.oneof(
      { weight: 5, arbitrary: fc.constant<Change[]>([]) },
      { weight: 3, arbitrary: fc.array(breakBody, { minLength: 1, maxLength: 3 }) },
    ),
    breakText: fc.oneof({ weight: 15, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: breakText }),
  });
}

function queryOf(parameters: readonly Parameter[], schemas: Schemas): fc.Arbitrary<Record<string, unknown>> {
  const values = parameters.map(({ name, schema, required }) => {
    const value = validValue(schema, schemas, name);
    return [name, required ? value : rarely(name === "cursor" ? 10 : 25, value)];
  });
  return fc.record(Object.fromEntries(values));
}

function pathPart(operationId: string, name: string): fc.Arbitrary<unknown> {
  if (name !== "projectId") return idOf(kindOf(name));
  return operationId === "deleteProject" ? projectToDelete : pathProject;
}

/** Generates bodies of the first media type that the operation accepts. */
function bodyOf({ operationId, requestBody }: Operation, schemas: Schemas) {
  const [content] = Object.entries(requestBody?.content ?? {});
  if (content === undefined) return { value: fc.constant(undefined), headers: {} };
  const [type, { schema }] = content;
  if (schema.type === "string")
    return { value: fc.oneof(csvFile, modelFile), headers: { "content-type": type } };
  const value = validValue(schema, schemas);
  const ofModel = fc
    .tuple(value, meanings.modelFile!)
    .map(([given, fileData]) => ({ ...(given as object), fileData }));
  return {
    value: operationId === "importModel" ? fc.oneof(value, ofModel) : value,
    headers: { "content-type": type },
  };
}
