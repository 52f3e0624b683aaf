/** Rules for every operation, in Markdown. */
export const introduction = `Serves predictions from trained models that belong to projects.

**Envelope.** A success is \`{ "success": true, "data": … }\`. A failure is \`{ "success": false, "error": { code, message, details?, requestId } }\`. \`error.code\` is one of a closed set.

**Authentication.** Send a project's key in the header \`X-API-Key\`, or a session cookie. A resource of another project returns the same response as an unknown resource.

**Rate limits.** Every response carries \`RateLimit\` and \`RateLimit-Policy\`. A 429 carries \`Retry-After\`.

**Idempotency.** A POST that creates a resource accepts an \`Idempotency-Key\`. For 24 hours, the same request with the same key returns the same response.

**Concurrent changes.** Single resources carry an \`ETag\`. Send it as \`If-Match\` with a change. If the resource has changed since, the service rejects the request with 412 and changes nothing.

**Background work.** A 202 response names a job. Poll \`GET /api/v1/jobs/{jobId}\` about once a second until its status is \`Completed\`, \`Failed\` or \`Cancelled\`. Or subscribe to the channel that \`GET /api/v1/realtime\` returns.

**Lists.** A list returns an array. If more results exist, the header \`Link\` holds the next page with \`rel="next"\`.

**Versions.** Changes within \`/api/v1\` are additive only: ignore unknown fields.`;
