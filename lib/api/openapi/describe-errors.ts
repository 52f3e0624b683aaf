import type { AnyDeclaration, Method } from "#lib/api/route-declaration";
import { ErrorBody } from "#lib/contract/common";
import { type ErrorCode, errorCodes } from "#lib/contract/error-codes";
import { type AnswerHeader, answerHeaders, headersWith } from "./describe-headers.ts";

/** Describes the errors of an operation, by status: the meaning of each code, and an example body. */
export function describeErrors(declaration: AnyDeclaration, method: Method) {
  const byStatus = Map.groupBy(codesOf(declaration, method), (code) => errorCodes[code][0]);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [`${status}` as `${4 | 5}${string}`, describeFailure(status, codes)]),
  );
}

/** Describes the errors with one status. */
export function describeFailure(status: number, codes: readonly ErrorCode[]) {
  const { required: _, ...retryAfter } = answerHeaders["Retry-After"];
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code][1]}`).join("\n\n"),
    headers: {
      ...headersWith(...(headersOfStatus[status] ?? [])),
      // Of the codes with this status, only `idempotency_in_progress` carries the header.
      ...(codes.includes("idempotency_in_progress") ? { "Retry-After": retryAfter } : {}),
    },
    content: {
      "application/json": {
        schema: ErrorBody,
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const),
        ),
      },
    },
  };
}

const headersOfStatus: Record<number, AnswerHeader[]> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

/** Returns the codes that follow from the declaration, and the route's own codes. */
function codesOf(declaration: AnyDeclaration, method: Method): ErrorCode[] {
  const { auth, rawBody, query, params, idempotent, ifMatch, etag, errors = [] } = declaration;
  // Changes without a body reject fields in it.
  const json = method !== "GET" && !rawBody;
  const when = (condition: unknown, ...codes: ErrorCode[]) => (condition ? codes : []);
  return [
    ...new Set<ErrorCode>([
      ...when(json, "malformed_json"),
      ...when(json || query || idempotent, "validation_failed"),
      ...when(auth !== "public", "api_key_missing", "api_key_invalid", "session_required"),
      // `project_not_found` also applies without a project in the path: to a key whose project is being deleted.
      ...when(auth !== "public", "forbidden", "project_not_found"),
      ...notFoundCodes(params),
      ...when(idempotent, "idempotency_in_progress", "idempotency_mismatch"),
      ...when(ifMatch || (etag && method === "GET"), "precondition_failed"),
      ...when(method !== "GET", "payload_too_large", "unsupported_media_type"),
      "rate_limited",
      "internal_error",
      "service_unavailable",
      ...errors,
    ]),
  ];
}

const codesOfIds: Record<string, ErrorCode> = {
  projectId: "project_not_found",
  checkpointId: "checkpoint_not_found",
  scenarioId: "scenario_not_found",
  overrideId: "override_not_found",
  comparisonId: "comparison_not_found",
  uploadId: "upload_not_found",
  modelId: "model_not_found",
  keyId: "api_key_not_found",
  webhookId: "webhook_not_found",
  deliveryId: "delivery_not_found",
  jobId: "job_not_found",
  userId: "member_not_found",
};

function notFoundCodes(params: AnyDeclaration["params"]): ErrorCode[] {
  const names = Object.keys((params as { shape?: object } | undefined)?.shape ?? {});
  return names.map((name) => codesOfIds[name] ?? "not_found");
}
