import { z } from "zod";
import type { ZodOpenApiObject } from "zod-openapi";
import { describeFailure } from "./describe-errors.ts";
import { references } from "./describe-headers.ts";

type Paths = NonNullable<ZodOpenApiObject["paths"]>;

const Liveness = z.object({
  status: z.literal("ok").describe("The process responds."),
  version: z.string().describe("Version of the service."),
  commit: z.string().nullable().describe("Commit that it was built from. `null` if unknown."),
});

const Readiness = z.object({
  status: z.enum(["ready", "unavailable"]).describe("Whether the process can accept requests."),
  checks: z
    .object({
      database: z
        .enum(["ok", "unreachable", "not migrated"])
        .describe("Whether PostgreSQL is reachable and has the current schema."),
      disk: z
        .enum(["ok", "full"])
        .describe("Whether the disks of the data folder and of artifacts have space."),
      process: z.enum(["ok", "stopping"]).describe("Whether the process is running or was asked to stop."),
    })
    .describe("Result of each check."),
});

const limitHeaders = references(["RateLimit-Policy", "RateLimit"]);

const otherMethods = { 405: describeFailure(405, ["method_not_allowed"]) };

const json = (schema: z.ZodType, name: string, value: unknown) => ({
  "application/json": { schema, examples: { [name]: { value } } },
});

/** Operations for monitoring. They have no declarations, because they must respond even if most other parts fail. */
export const bareOperations: Paths = {
  "/api/health/live": {
    get: {
      operationId: "getLiveness",
      tags: ["Health and metrics"],
      summary: "Check liveness",
      description:
        "Checks only the process itself, because a restart fixes nothing else. States the version.",
      security: [],
      responses: {
        200: {
          description: "The process responds.",
          headers: limitHeaders,
          content: json(Liveness, "alive", {
            status: "ok",
            version: "0.1.0",
            commit: "2f1c9e7b4a8d0c6e5f3b1a9d7c8e6f4a2b0d1c3e",
          }),
        },
        ...otherMethods,
      },
    },
  },
  "/api/health/ready": {
    get: {
      operationId: "getReadiness",
      tags: ["Health and metrics"],
      summary: "Check readiness",
      description: "For load balancers: send requests to another process while this one returns 503.",
      security: [],
      responses: {
        200: {
          description: "The process can accept requests.",
          headers: limitHeaders,
          content: json(Readiness, "ready", {
            status: "ready",
            checks: { database: "ok", disk: "ok", process: "ok" },
          }),
        },
        503: {
          description: "The process cannot accept requests at the moment.",
          headers: references(["Retry-After", "RateLimit-Policy", "RateLimit"]),
          content: json(Readiness, "unavailable", {
            status: "unavailable",
            checks: { database: "unreachable", disk: "ok", process: "ok" },
          }),
        },
        ...otherMethods,
      },
    },
  },
  "/api/metrics": {
    get: {
      operationId: "getMetrics",
      tags: ["Health and metrics"],
      summary: "Get metrics",
      description:
        "Returns Prometheus metrics: requests by operation and status, request durations, jobs by status, and process metrics.",
      security: [],
      responses: {
        200: {
          description: "Metrics in the Prometheus text format.",
          headers: limitHeaders,
          content: {
            "text/plain": {
              schema: { type: "string" },
              examples: {
                metrics: {
                  value:
                    '# TYPE http_requests_total counter\nhttp_requests_total{operation="getJob",method="GET",status="200"} 1\n',
                },
              },
            },
          },
        },
        ...otherMethods,
      },
    },
  },
};
