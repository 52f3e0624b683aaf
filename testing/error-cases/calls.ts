import { rejectAddress } from "#lib/api/address/reject-address";
import { DomainError } from "#lib/platform/errors/domain-error";
import { callRoute, createKey, nobody, withKey } from "../api.ts";
import { waitForLock } from "../wait-for-lock.ts";
import { type ErrorCase, ofProject } from "./error-case.ts";

/** Answers of the server for paths and methods that no route handles. */
const withoutRoute = async (request: Request) => {
  const answer = rejectAddress(request.method, new URL(request.url).pathname);
  if (answer === null) throw new DomainError("internal_error", "This path has a route");
  return answer.toResponse();
};
const patch = `PATCH ${ofProject}`;
const json = { "content-type": "application/json" };

/** Errors of the request itself: its format, its size, its headers and its caller. */
export const callErrors = {
  async malformed_json({ call }) {
    const answer = await call(patch, { body: '{"name": "a",}' });
    return { answer, message: "The body is not valid JSON: look at position 13." };
  },

  async validation_failed({ call }) {
    const answer = await call(patch, { body: { nmae: "x", description: 1 } });
    return {
      answer,
      message: "The body is not valid: description: Send a string, not a number (and 1 more, see details).",
      details: [
        {
          field: "description",
          code: "invalid_type",
          message: "description: Send a string, not a number",
        },
        { field: "nmae", code: "unknown_field", message: "nmae is not a field of this request" },
      ],
    };
  },

  async api_key_missing({ call }) {
    const answer = await call(`GET ${ofProject}`, {}, nobody);
    return {
      answer,
      message: "The request has neither an API key nor a session. Send the header `X-API-Key`.",
    };
  },

  async api_key_invalid({ call, own }) {
    const revoked = await createKey({ projectId: own.projectId, revokedAt: new Date() });
    const answer = await call(`GET ${ofProject}`, {}, revoked);
    const message = "The API key is invalid. Check the key, or create a new one in the project's settings.";
    return { answer, message };
  },

  async session_required({ call }) {
    const answer = await call(
      `GET ${ofProject}`,
      {},
      { headers: { cookie: "better-auth.session_token=x.y" } },
    );
    return { answer, message: "The session has ended. Sign in again." };
  },

  async forbidden({ call, analyst }) {
    const answer = await call("POST /api/v1/projects", { body: { name: "x" } }, analyst);
    return { answer, message: "This operation requires the role admin. Ask a member with this role." };
  },

  async not_found() {
    const answer = await callRoute(withoutRoute, { path: "/api/v2/projects" });
    return {
      answer,
      message: "This path does not exist. Check the path against the API reference.",
    };
  },

  async method_not_allowed() {
    const answer = await callRoute(withoutRoute, { method: "DELETE", path: "/api/v1/projects" });
    return { answer, message: "This path does not accept DELETE. Use GET or POST." };
  },

  async payload_too_large({ call }) {
    const answer = await call(patch, { body: JSON.stringify({ description: "x" }).padEnd(1_000_001) });
    return { answer, message: "The body exceeds the limit of 1,000,000 bytes. Send a smaller body." };
  },

  async unsupported_media_type({ call }) {
    const answer = await call(patch, { body: "{}", headers: { "content-type": "text/plain" } });
    const message = "Send the body as application/json in UTF-8, with a matching header Content-Type.";
    return {
      answer,
      message,
      details: [{ field: "Content-Type", code: "unsupported_media_type", message }],
    };
  },

  async precondition_failed({ call }) {
    const answer = await call(patch, { body: { name: "x" }, headers: { ...json, "if-match": '"stale"' } });
    const message =
      "The resource has changed since you read it. Read the resource again and repeat the change.";
    return { answer, message, details: [{ field: "If-Match", code: "precondition_failed", message }] };
  },

  async idempotency_mismatch({ call }) {
    const send = (body: object) =>
      call(`POST ${ofProject}/uploads`, {
        body: JSON.stringify(body),
        headers: { "content-type": "text/csv", "idempotency-key": "mismatch" },
      });
    await send({ first: 1 });
    const answer = await send({ second: 1 });
    const message =
      "This Idempotency-Key was used with a different request. Use a new key for a new request, or repeat the first request unchanged.";
    return {
      answer,
      message,
      details: [{ field: "Idempotency-Key", code: "idempotency_mismatch", message }],
    };
  },

  async idempotency_in_progress({ call, own, sql }) {
    const parts = { headers: { ...json, "idempotency-key": "at once" }, body: { label: "At once" } };
    const send = () => call(`POST ${ofProject}/checkpoints`, parts);
    // The first request waits for the project's row while the second arrives.
    const [answer, first] = await sql.begin(async (held) => {
      await held`select from projects where id = ${own.projectId} for update`;
      const first = send();
      await waitForLock(sql);
      return [await send(), first] as const;
    });
    await first;
    const message =
      "The first request with this Idempotency-Key is still running. Wait, then send the request again.";
    return {
      answer,
      message,
      details: [{ field: "Idempotency-Key", code: "idempotency_in_progress", message }],
    };
  },

  async rate_limited({ call }) {
    const send = () =>
      call(`GET ${ofProject}`, { headers: { "x-client-address": "192.0.2.99" } }, withKey("mps_wrong"));
    let answer = await send();
    // More than the test's limit, so that a wrong limit fails and does not repeat for ever.
    for (let sent = 1; answer.status === 401 && sent < 100; sent++) answer = await send();
    const wait = answer.headers.get("retry-after");
    return { answer, message: `Too many requests. Retry after ${wait} s.` };
  },
} satisfies Record<string, ErrorCase>;
