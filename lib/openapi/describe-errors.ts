import { ErrorBody } from "#lib/contract/common";
import { type ErrorCode, errorCodes } from "#lib/contract/error-codes";
import type { AnyDeclaration } from "#lib/http/route-declaration";

type ErrorResponses = Record<
  `${4 | 5}${string}`,
  { description: string; content: { "application/json": { schema: typeof ErrorBody } } }
>;

/** The failures that an operation can answer, by status, with what each code means. */
export function describeErrors(declaration: AnyDeclaration): ErrorResponses {
  const byStatus = Map.groupBy(codesOf(declaration), (code) => errorCodes[code][0]);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        {
          description: codes.map((code) => `\`${code}\`: ${errorCodes[code][1]}`).join("\n\n"),
          content: { "application/json": { schema: ErrorBody } },
        },
      ]),
  );
}

/** What the machinery refuses with because of what is declared, and the route's own. */
function codesOf(declaration: AnyDeclaration): ErrorCode[] {
  const { auth, body, rawBody, query, params, idempotent, ifMatch, errors = [] } = declaration;
  const when = (condition: unknown, ...codes: ErrorCode[]) => (condition ? codes : []);
  return [
    ...new Set<ErrorCode>([
      ...when(body, "malformed_json"),
      ...when(body || query || idempotent, "validation_failed"),
      ...when(auth !== "public", "api_key_missing", "api_key_invalid", "session_required"),
      ...when(auth !== "public", "forbidden"),
      ...notFoundCodes(params),
      ...when(idempotent, "idempotency_in_progress", "idempotency_mismatch"),
      ...when(ifMatch, "precondition_failed"),
      ...when(body || rawBody, "payload_too_large", "unsupported_media_type"),
      ...when(true, "rate_limited", "internal_error", "service_unavailable"),
      ...errors,
    ]),
  ];
}

const codesOfIds: Record<string, ErrorCode> = {
  projectId: "project_not_found",
  checkpointId: "checkpoint_not_found",
  scenarioId: "scenario_not_found",
  modelId: "model_not_found",
  keyId: "api_key_not_found",
  jobId: "job_not_found",
  userId: "member_not_found",
};

function notFoundCodes(params: AnyDeclaration["params"]): ErrorCode[] {
  const names = Object.keys((params as { shape?: object } | undefined)?.shape ?? {});
  return names.map((name) => codesOfIds[name] ?? "not_found");
}
