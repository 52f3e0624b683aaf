// Written by app/api/routes.test.ts: run it with -u after adding, moving or removing a route.
import type { RouteTable } from "#lib/http/route-declaration";

// biome-ignore format: one route a line
export const routes: RouteTable = {
  "/api/v1/jobs/{jobId}/cancel": () => import("./jobs/[jobId]/cancel/route.ts"),
  "/api/v1/jobs/{jobId}/retry": () => import("./jobs/[jobId]/retry/route.ts"),
  "/api/v1/jobs/{jobId}": () => import("./jobs/[jobId]/route.ts"),
  "/api/v1/jobs/project/{projectId}": () => import("./jobs/project/[projectId]/route.ts"),
  "/api/v1/me": () => import("./me/route.ts"),
  "/api/v1/members/{userId}": () => import("./members/[userId]/route.ts"),
  "/api/v1/members": () => import("./members/route.ts"),
  "/api/v1/openapi.json": () => import("./openapi.json/route.ts"),
  "/api/v1/projects/{projectId}/api-keys/{keyId}/rotate": () => import("./projects/[projectId]/api-keys/[keyId]/rotate/route.ts"),
  "/api/v1/projects/{projectId}/api-keys/{keyId}": () => import("./projects/[projectId]/api-keys/[keyId]/route.ts"),
  "/api/v1/projects/{projectId}/api-keys": () => import("./projects/[projectId]/api-keys/route.ts"),
  "/api/v1/projects/{projectId}/audit": () => import("./projects/[projectId]/audit/route.ts"),
  "/api/v1/projects/{projectId}/checkpoints/{checkpointId}": () => import("./projects/[projectId]/checkpoints/[checkpointId]/route.ts"),
  "/api/v1/projects/{projectId}/checkpoints": () => import("./projects/[projectId]/checkpoints/route.ts"),
  "/api/v1/projects/{projectId}/dataset": () => import("./projects/[projectId]/dataset/route.ts"),
  "/api/v1/projects/{projectId}/dataset/rows": () => import("./projects/[projectId]/dataset/rows/route.ts"),
  "/api/v1/projects/{projectId}/dependencies": () => import("./projects/[projectId]/dependencies/route.ts"),
  "/api/v1/projects/{projectId}/models/{modelId}": () => import("./projects/[projectId]/models/[modelId]/route.ts"),
  "/api/v1/projects/{projectId}/models/current": () => import("./projects/[projectId]/models/current/route.ts"),
  "/api/v1/projects/{projectId}/models": () => import("./projects/[projectId]/models/route.ts"),
  "/api/v1/projects/{projectId}/models/train": () => import("./projects/[projectId]/models/train/route.ts"),
  "/api/v1/projects/{projectId}/predict": () => import("./projects/[projectId]/predict/route.ts"),
  "/api/v1/projects/{projectId}": () => import("./projects/[projectId]/route.ts"),
  "/api/v1/projects/{projectId}/uploads": () => import("./projects/[projectId]/uploads/route.ts"),
  "/api/v1/projects": () => import("./projects/route.ts"),
  "/api/v1/realtime/auth": () => import("./realtime/auth/route.ts"),
  "/api/v1/realtime": () => import("./realtime/route.ts"),
  "/api/v1/setup": () => import("./setup/route.ts"),
};
