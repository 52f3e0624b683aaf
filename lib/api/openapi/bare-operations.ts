import { z } from "zod";
import type { ZodOpenApiObject } from "zod-openapi";
import { describeFailure } from "./describe-errors.ts";
import { references } from "./describe-headers.ts";

type Paths = NonNullable<ZodOpenApiObject["paths"]>;

const Readiness = z.object({
  status: z.enum(["ready", "unavailable"]).meta({ description: "Whether requests can be answered" }),
  checks: z
    .object({
      database: z
        .enum(["ok", "unreachable", "not migrated"])
        .meta({ description: "Whether PostgreSQL is there, with the present schema" }),
      process: z
        .enum(["ok", "stopping"])
        .meta({ description: "Whether the process goes on, or was asked to stop" }),
    })
    .meta({ description: "What was looked at" }),
});

const otherMethods = { 405: describeFailure(405, ["method_not_allowed"]) };

const json = (schema: z.ZodType, name: string, value: unknown) => ({
  "application/json": { schema, examples: { [name]: { value } } },
});

/** What those who run the service ask it: made without declarations, since it must answer when little else does. */
export const bareOperations: Paths = {
  "/api/health/live": {
    get: {
      operationId: "getLiveness",
      tags: ["Health and metrics"],
      summary: "Whether the process answers",
      description: "Looks at nothing else: a restart would mend nothing else.",
      security: [],
      responses: {
        200: {
          description: "It does",
          content: json(z.object({ status: z.literal("ok").meta({ description: "It answers" }) }), "alive", {
            status: "ok",
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
      summary: "Whether the process can answer requests",
      description: "For a load balancer: sends requests elsewhere while it answers 503.",
      security: [],
      responses: {
        200: {
          description: "It can",
          content: json(Readiness, "ready", { status: "ready", checks: { database: "ok", process: "ok" } }),
        },
        503: {
          description: "It cannot just now",
          headers: references(["Retry-After"]),
          content: json(Readiness, "unavailable", {
            status: "unavailable",
            checks: { database: "unreachable", process: "ok" },
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
      summary: "Figures for Prometheus",
      description: "Calls by operation and status, their durations, jobs by state, and the process itself.",
      security: [],
      responses: {
        200: {
          description: "In Prometheus' text format",
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
