import { type CreateDocumentOptions, createDocument, type ZodOpenApiObject } from "zod-openapi";
import { methods, type RouteTable } from "#lib/api/route-declaration";
import { ErrorBody } from "#lib/contract/common";
import { bareOperations } from "./bare-operations.ts";
import { channelEvents } from "./describe-events.ts";
import { answerHeaders } from "./describe-headers.ts";
import { mcpOperations } from "./describe-mcp.ts";
import { describeOperation } from "./describe-operation.ts";
import { errorExamples } from "./examples/errors.ts";
import { securitySchemes } from "./security.ts";

type Paths = NonNullable<ZodOpenApiObject["paths"]>;
type OpenApiDocument = ReturnType<typeof createDocument>;

/** Generates the OpenAPI 3.1 document from the route declarations, so that document and behaviour cannot differ. */
export async function openApiDocument(routes: RouteTable): Promise<OpenApiDocument> {
  const paths: Paths = {};
  for (const [path, load] of Object.entries(routes)) {
    const module = await load();
    const item: Paths[string] = {};
    for (const method of methods) {
      const handler = module[method];
      if (handler) item[method.toLowerCase() as "get"] = describeOperation(handler.declaration, method);
    }
    paths[path] = item;
  }
  return createDocument(
    {
      openapi: "3.1.1",
      info: { title: "Forkcast", version: "1.0.0", description: introduction },
      servers: [{ url: "/", description: "This service." }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      paths: { ...paths, ...bareOperations, ...mcpOperations },
      webhooks: channelEvents,
      components: {
        schemas: { Failure: ErrorBody },
        headers: answerHeaders,
        examples: errorExamples,
        securitySchemes,
      },
    },
    { override: describeSchema },
  );
}

type Override = Extract<NonNullable<CreateDocumentOptions["override"]>, (...args: never) => unknown>;

/** Corrects zod's description of a schema where it is too strict or incomplete. */
const describeSchema: Override = ({ zodSchema, jsonSchema, io }) => {
  const { def } = zodSchema._zod;
  // Changes within /api/v1 are additive only: a client's validator must accept unknown fields.
  if (io === "output" && def.type === "object" && def.catchall === undefined) {
    delete jsonSchema.additionalProperties;
  }
  // zod's default bounds of integers are no limits of the API.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.format === undefined) return;
  // `date-time` requires a zone, so a schema that also accepts local times keeps only its pattern. All other formats make
  // the pattern redundant.
  if ("local" in def && def.local === true) delete jsonSchema.format;
  else delete jsonSchema.pattern;
};

/** Rules for every operation, in Markdown. */
const introduction = `Serves predictions from trained models that belong to projects.

**Envelope.** A success is \`{ "success": true, "data": … }\`. A failure is \`{ "success": false, "error": { code, message, details?, requestId } }\`. \`error.code\` is one of a closed set.

**Authentication.** Send a project's key in the header \`X-API-Key\`, or a session cookie. A resource of another project returns the same response as an unknown resource.

**Rate limits.** Every response carries \`RateLimit\` and \`RateLimit-Policy\`. A 429 carries \`Retry-After\`.

**Idempotency.** A POST that creates a resource accepts an \`Idempotency-Key\`. For 24 hours, the same request with the same key returns the same response.

**Concurrent changes.** Single resources carry an \`ETag\`. Send it as \`If-Match\` with a change. If the resource has changed since, the service rejects the request with 412 and changes nothing.

**Background work.** A 202 response names a job. Poll \`GET /api/v1/jobs/{jobId}\` about once a second until its status is \`Completed\`, \`Failed\` or \`Cancelled\`. Or subscribe to the channel that \`GET /api/v1/realtime\` returns.

**Lists.** A list returns an array. If more results exist, the header \`Link\` holds the next page with \`rel="next"\`.

**Versions.** Changes within \`/api/v1\` are additive only: ignore unknown fields.`;

/** Groups of operations, in the order of the reference, with their descriptions. */
const tags: Record<string, string> = {
  Projects:
    "A project holds data, trained models, checkpoints and scenarios. An API key belongs to one project.",
  Data: "The project's dataset, on which models are trained. Upload large files first.",
  Models:
    "Models that the service trained on the dataset, and imported models. The latest model is the current model.",
  Predictions: "Synchronous predictions for the rows in the request.",
  Checkpoints:
    "A checkpoint is a snapshot of a trained model, so that a specific model version can be used for predictions and scenarios.",
  Scenarios:
    "A scenario is an input dataset linked to a checkpoint. Its predictions can be compared side by side with those of other scenarios.",
  Jobs: "A job is background work. It ends `Completed`, `Failed` or `Cancelled`, and then never changes.",
  Realtime:
    "Events over the Pusher Channels protocol. They carry the IDs of changed resources, so that clients need not poll.",
  "API keys": "API keys of a project, for programs. Admins manage them.",
  Webhooks: "Addresses that receive a project's events by HTTP. Admins manage them.",
  Agents: "Tools for agents, by the Model Context Protocol. Messages do not use the envelope.",
  Members: "Users who can sign in, and the audit log of their actions.",
  "Sign-in":
    "Sessions and passwords of members, for programs. Responses of `/api/auth` have the format of the sign-in library.",
  "Health and metrics": "Monitoring of the service. Responses do not use the envelope.",
  Documentation: "The OpenAPI document.",
};
