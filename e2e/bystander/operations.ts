import { randomUUID } from "node:crypto";
import { eventNames } from "#lib/contract/channel";
import { INTERVAL_LEVELS } from "#lib/contract/interval-shape";
import { hourlyCsv } from "./hostile-csv.ts";
import { hostileModels } from "./hostile-models.ts";
import { importBody, numbersInput, timedInput } from "./hostile-world.ts";
import {
  body,
  filesOf,
  type HostileCalls,
  newComparison,
  newKey,
  newMember,
  newProject,
  newProjectMember,
  newScenario,
  newWebhook,
  oldestVersion,
  plain,
  withFiles,
} from "./request-parts.ts";
import { scenarioOperations } from "./scenario-operations.ts";
import { base64 } from "./tenant.ts";

const ofNewWebhook =
  (body?: object): HostileCalls =>
  async (world) => [{ params: await newWebhook(world), ...(body && { body }) }];

/** Requests of every operation of the API, by method and path. */
export const hostileOperations: Record<string, HostileCalls> = {
  "GET /api/v1/audit": plain,
  "GET /api/v1/jobs/{jobId}": plain,
  "GET /api/v1/jobs/{jobId}/mail": plain,
  "POST /api/v1/jobs/{jobId}/mail": body({ whenEnded: false }),
  // A scenario might end before it is cancelled. This training takes far longer than the request.
  "POST /api/v1/jobs/{jobId}/cancel": async ({ tenant, projectId }) => {
    const hyperparameters = { rounds: 5_000, maxLeaves: 255, minLeaf: 1, earlyStopping: false };
    const body = { algorithm: "gradient_boosting", hyperparameters };
    const { jobId } = await tenant.ask("POST", `/projects/${projectId}/models/train`, body);
    return [{ params: { jobId } }];
  },
  "POST /api/v1/jobs/{jobId}/retry": async (world) => {
    for (;;) {
      const { jobId } = await newScenario(world);
      await world.tenant.send({ method: "POST", path: `/jobs/${jobId}/cancel` });
      if ((await world.tenant.ended(jobId)) === "Cancelled") return [{ params: { jobId } }];
    }
  },
  "GET /api/v1/jobs/project/{projectId}": () => [{ query: "limit=200" }],
  "GET /api/v1/me": plain,
  "GET /api/v1/me/sessions": plain,
  "GET /api/v1/members/{userId}": plain,
  "PATCH /api/v1/members/{userId}": async (world) => [
    { params: { userId: await newMember(world) }, body: { name: "Cy" } },
  ],
  "DELETE /api/v1/members/{userId}": async (world) => [{ params: { userId: await newMember(world) } }],
  "GET /api/v1/members": plain,
  "POST /api/v1/members": () => [
    { body: { name: "Di", email: `${randomUUID()}@example.com`, password: "battery staple" } },
  ],
  "GET /api/v1/openapi.json": plain,
  "POST /api/v1/projects/{projectId}/api-keys/{keyId}/rotate": async (world) => [
    { params: { keyId: await newKey(world) }, body: { overlapSeconds: 60 } },
  ],
  "DELETE /api/v1/projects/{projectId}/api-keys/{keyId}": async (world) => [
    { params: { keyId: await newKey(world) } },
  ],
  "GET /api/v1/projects/{projectId}/api-keys/{keyId}": async (world) => [
    { params: { keyId: await newKey(world) } },
  ],
  "GET /api/v1/projects/{projectId}/api-keys": plain,
  "POST /api/v1/projects/{projectId}/api-keys": body({ name: "Another" }),
  "GET /api/v1/projects/{projectId}/webhooks": plain,
  "POST /api/v1/projects/{projectId}/webhooks": async (world) => {
    await newWebhook(world);
    return [{ body: { url: "https://192.88.98.1/hooks", events: [...eventNames] } }];
  },
  "GET /api/v1/projects/{projectId}/webhooks/{webhookId}": ofNewWebhook(),
  "PATCH /api/v1/projects/{projectId}/webhooks/{webhookId}": ofNewWebhook({ events: [...eventNames] }),
  "DELETE /api/v1/projects/{projectId}/webhooks/{webhookId}": ofNewWebhook(),
  "POST /api/v1/projects/{projectId}/webhooks/{webhookId}/rotate": ofNewWebhook({ overlapSeconds: 60 }),
  "POST /api/v1/projects/{projectId}/webhooks/{webhookId}/test": ofNewWebhook(),
  "GET /api/v1/projects/{projectId}/webhooks/{webhookId}/deliveries": ofNewWebhook(),
  "POST /api/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/resend": ofNewWebhook(),
  "POST /api/v1/projects/{projectId}/deliveries/{deliveryId}/resend": ofNewWebhook(),
  "GET /api/v1/projects/{projectId}/members": plain,
  "POST /api/v1/projects/{projectId}/members": async (world) => [
    { body: { userId: await newMember(world), role: "viewer" } },
  ],
  "GET /api/v1/projects/{projectId}/members/{userId}": async (world) => [
    { params: { userId: await newProjectMember(world) } },
  ],
  "PATCH /api/v1/projects/{projectId}/members/{userId}": async (world) => [
    { params: { userId: await newProjectMember(world) }, body: { role: "analyst" } },
  ],
  "DELETE /api/v1/projects/{projectId}/members/{userId}": async (world) => [
    { params: { userId: await newProjectMember(world) } },
  ],
  "GET /api/v1/projects/{projectId}/audit": () => [{ query: "limit=200" }],
  "GET /api/v1/projects/{projectId}/checkpoints/{checkpointId}/record": plain,
  "GET /api/v1/projects/{projectId}/checkpoints/{checkpointId}": plain,
  "PUT /api/v1/projects/{projectId}/checkpoints/{checkpointId}": body({ description: "x".repeat(2_000) }),
  "DELETE /api/v1/projects/{projectId}/checkpoints/{checkpointId}": async ({ tenant, projectId }) => {
    const { checkpointId } = await tenant.complete("POST", `/projects/${projectId}/checkpoints`, {});
    return [{ params: { checkpointId: checkpointId as string } }];
  },
  "GET /api/v1/projects/{projectId}/checkpoints/{checkpointId}/export": plain,
  "POST /api/v1/projects/{projectId}/checkpoints/import": async ({ tenant, projectId, checkpointId }) => {
    const path = `/projects/${projectId}/checkpoints/${checkpointId}/export`;
    return [{ body: { fileData: base64(await tenant.download(path)) } }];
  },
  "GET /api/v1/projects/{projectId}/checkpoints": () => [{ query: "limit=200" }],
  "POST /api/v1/projects/{projectId}/checkpoints": body({}),
  "GET /api/v1/projects/{projectId}/comparisons/{comparisonId}": plain,
  "PATCH /api/v1/projects/{projectId}/comparisons/{comparisonId}": body({ name: "Renamed" }),
  "DELETE /api/v1/projects/{projectId}/comparisons/{comparisonId}": async (world) => [
    { params: { comparisonId: await newComparison(world) } },
  ],
  "GET /api/v1/projects/{projectId}/comparisons": () => [{ query: "limit=200" }],
  "POST /api/v1/projects/{projectId}/comparisons": ({ scenarioIds }) => [
    { body: { name: "New", scenarioIds } },
  ],
  "GET /api/v1/projects/{projectId}/dataset": plain,
  "PUT /api/v1/projects/{projectId}/dataset": (world) => [
    ...withFiles(world, { target: "b" }),
    {
      title: "hours",
      body: () => ({
        fileData: base64(hourlyCsv(world.sizes.datasetRows, 0, true)),
        target: "y",
        timestamp: "time",
      }),
    },
  ],
  "PATCH /api/v1/projects/{projectId}/dataset": () => [
    { body: { exclude: [], confirmed: Array.from({ length: 8 }, (_, at) => `f${at}`) } },
  ],
  "GET /api/v1/projects/{projectId}/dataset/target": () => [{ query: "maxPoints=20000" }],
  "POST /api/v1/projects/{projectId}/dataset/rows": ({ sizes }) => [
    { body: () => ({ fileData: base64(hourlyCsv(sizes.scenarioRows, sizes.datasetRows, true)) }) },
  ],
  "GET /api/v1/projects/{projectId}/dataset/rows": ({ sizes }) => [
    { query: `limit=200&offset=${sizes.datasetRows - 200}` },
  ],
  "PATCH /api/v1/projects/{projectId}/dataset/rows": () => [
    { body: { set: Array.from({ length: 500 }, (_, at) => ({ row: at + 1, values: { f0: at } })) } },
  ],
  "GET /api/v1/projects/{projectId}/series": () => [{ query: "limit=200&sort=rowCount" }],
  "GET /api/v1/projects/{projectId}/dataset/versions": () => [{ query: "limit=200" }],
  "DELETE /api/v1/projects/{projectId}/dataset/versions/{versionId}": async (world) => {
    await world.tenant.ask("PATCH", `/projects/${world.projectId}/dataset`, { confirmed: [] });
    return [{ params: { versionId: await oldestVersion(world) } }];
  },
  "GET /api/v1/projects/{projectId}/dataset/versions/{versionId}/changes": async (world) => [
    { params: { versionId: await oldestVersion(world) } },
  ],
  "POST /api/v1/projects/{projectId}/dataset/versions/{versionId}/restore": async (world) => [
    { params: { versionId: await oldestVersion(world) } },
  ],
  "PUT /api/v1/projects/{projectId}/dependencies": body({ dependencies: [] }),
  "GET /api/v1/projects/{projectId}/models/{modelId}": plain,
  "GET /api/v1/projects/{projectId}/models/{modelId}/changes": plain,
  "GET /api/v1/projects/{projectId}/models/current": plain,
  "POST /api/v1/projects/{projectId}/models/import": ({ sizes }) =>
    (sizes.isLong ? hostileModels(true) : hostileModels(false).slice(0, 1)).map(([model]) => ({
      title: model!.name,
      body: () => importBody(model!),
    })),
  "GET /api/v1/projects/{projectId}/models": () => [{ query: "limit=200" }],
  "POST /api/v1/projects/{projectId}/models/train": ({ sizes: { rounds } }) => [
    {
      body: {
        algorithm: "gradient_boosting",
        hyperparameters: { rounds, maxLeaves: 255, minLeaf: 1, earlyStopping: false },
      },
    },
  ],
  "POST /api/v1/projects/{projectId}/predict": ({ sizes, imported }) => [
    ...(sizes.isLong ? [1, 100, 10_000] : [1, 2_500]).map((rows) => ({
      title: `${rows} rows`,
      body: () => ({
        input: timedInput(rows, sizes.datasetRows),
        include: ["intervals"],
        levels: INTERVAL_LEVELS,
      }),
    })),
    {
      title: "contributions of 50 rows",
      body: { input: timedInput(50, sizes.datasetRows), include: ["contributions"] },
    },
    ...(sizes.isLong ? [50_000, 650_000] : [5_000]).map((extra) => ({
      title: `${extra} extra features`,
      body: () => ({
        input: {
          ...timedInput(1, sizes.datasetRows),
          ...Object.fromEntries(Array.from({ length: extra }, (_, at) => [`e${at}`, [1]])),
        },
      }),
    })),
    ...imported.flatMap(({ name, checkpointId, width }) =>
      (sizes.isLong ? [1, 512, 10_000] : [512]).map((rows) => ({
        title: `${name}, ${rows} rows`,
        body: () => ({ input: numbersInput(rows, width), checkpointId }),
      })),
    ),
    ...imported.map(({ name, checkpointId, width }) => ({
      title: `${name}, contributions`,
      body: { input: numbersInput(50, width), checkpointId, include: ["contributions"] },
    })),
  ],
  "GET /api/v1/projects/{projectId}": plain,
  "PATCH /api/v1/projects/{projectId}": body({ description: "x".repeat(2_000) }),
  "DELETE /api/v1/projects/{projectId}": async (world) => [
    { params: { projectId: await newProject(world) } },
  ],
  ...scenarioOperations,
  "GET /api/v1/projects/{projectId}/decisions": plain,
  "GET /api/v1/projects/{projectId}/space": plain,
  "GET /api/v1/projects/{projectId}/track-record": () => [{ query: "maxPoints=20000" }],
  "GET /api/v1/projects/{projectId}/uploads": () => [{ query: "limit=200" }],
  "DELETE /api/v1/projects/{projectId}/uploads/{uploadId}": async ({ tenant, projectId }) => {
    const { uploadId } = await tenant.ask("POST", `/projects/${projectId}/uploads`, "a\n1\n");
    return [{ params: { uploadId: uploadId as string } }];
  },
  "POST /api/v1/projects/{projectId}/uploads": ({ sizes }) =>
    filesOf(sizes, sizes.uploadBytes).map(([title, text]) => ({ title, body: text })),
  "GET /api/v1/projects": () => [{ query: "limit=200" }],
  "POST /api/v1/projects": body({ name: "New" }),
  "POST /api/v1/realtime/auth": ({ projectId }) => [
    {
      body: `socket_id=1.1&channel_name=private-project-${projectId}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    },
  ],
  "GET /api/v1/realtime": ({ projectId }) => [{ query: `projectId=${projectId}` }],
  "GET /api/auth/get-session": plain,
  "POST /api/mcp": async ({ tenant, projectId, scenarioIds }) => {
    const { key } = await tenant.ask("POST", `/projects/${projectId}/api-keys`, { name: "Agent" });
    const args = { ids: scenarioIds.join(","), baselineId: scenarioIds[0] };
    return [
      {
        headers: { authorization: `Bearer ${key}`, accept: "application/json, text/event-stream" },
        body: {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "compare_scenarios", arguments: args },
        },
      },
    ];
  },
  "GET /api/health/live": plain,
  "GET /api/health/ready": plain,
  "GET /api/metrics": plain,
};

/** Operations that end the sessions of the run, that succeed only once, or that need a provider of company accounts, mail or shared links. */
export const unplayed = new Set([
  "POST /api/v1/setup",
  "POST /api/v1/me/password",
  "POST /api/v1/me/sessions/end",
  "POST /api/auth/sign-in/email",
  "POST /api/auth/sign-out",
  "POST /api/auth/request-password-reset",
  "POST /api/auth/reset-password",
  "GET /api/v1/projects/{projectId}/comparisons/{comparisonId}/link",
  "POST /api/v1/projects/{projectId}/comparisons/{comparisonId}/link",
  "POST /api/v1/projects/{projectId}/comparisons/{comparisonId}/link/end",
  "POST /api/v1/shared-comparison",
  "GET /api/auth/sign-in/oidc",
  "GET /api/auth/callback/oidc",
]);
