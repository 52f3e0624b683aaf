/** What holds for every operation. Markdown. */
export const introduction = `Serves predictions from trained models that belong to projects.

**Envelope.** A success is \`{ "success": true, "data": … }\`; a failure is \`{ "success": false, "error": { code, message, details?, requestId } }\`. \`error.code\` is one of a closed set.

**Who is calling.** The header \`X-API-Key\` with a project's key, or the cookie of a session. What belongs to another project is answered exactly as if it did not exist.

**Limits.** Every answer carries \`RateLimit\` and \`RateLimit-Policy\`; a 429 carries \`Retry-After\`. A POST that creates takes an \`Idempotency-Key\`: the same request with the same key gets the same answer for 24 hours.

**Changing.** Single resources come with an \`ETag\`. Send it as \`If-Match\` with a change: where somebody else was faster, it is refused with 412 and nothing is lost.

**Background work.** 202 names a job: read \`GET /api/v1/jobs/{jobId}\` every second or so until its status is \`Completed\`, \`Failed\` or \`Cancelled\`, or listen on the channel that \`GET /api/v1/realtime\` names.

**Lists** answer an array; where there is more, the header \`Link\` holds the next page with \`rel="next"\`.

**Changes.** Within \`/api/v1\` changes only add: ignore fields that you do not know.`;
