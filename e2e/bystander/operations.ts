import { randomUUID } from "node:crypto";
import { eventNames } from "#lib/contract/channel";
import { INTERVAL_LEVELS } from "#lib/contract/interval-shape";
import { hourlyCsv, timeOf } from "./hostile-csv.ts";
import { hostileModels } from "./hostile-models.ts";
import { importBody, numbersInput, timedInput, type World } from "./hostile-world.ts";
import {
  filesOf,
  type HostileCall,
  longOverride,
  manyAdjustments,
  newComparison,
  newKey,
  newMember,
  newOverride,
  newProject,
  newProjectMember,
  newScenario,
  newWebhook,
  numbersCsv,
  oldestVersion,
  withFiles,
} from "./request-parts.ts";
import { base64 } from "./tenant.ts";

/** Returns the most expensive accepted requests of an operation. Several have a `title`. */
type HostileCalls = (world: World) => Promise<HostileCall[]> | HostileCall[];

const plain: HostileCalls = () => [{}];
const body =
  (value: object): HostileCalls =>
  () => [{ body: value }];
const ofNewWebhook =
  (body?: object): HostileCalls =>
  async (world) => [{ params: await newWebhook(world), ...(body && { body }) }];
const csv = { headers: { accept: "text/csv" } };
const levels = `levels=${INTERVAL_LEVELS.join(",")}`;

const longest = ({ sizes }: World) => hourlyCsv(sizes.scenarioRows, sizes.datasetRows, false);
const span = ({ sizes }: World, rows: number) =>
  `from=${timeOf(sizes.datasetRows)}&to=${timeOf(sizes.datasetRows + Math.min(rows, sizes.scenarioRows) - 1)}`;
const ids = ({ scenarioIds }: World) => `ids=${scenarioIds.join(",")}`;

/** Requests of every operation of the API, by method and path. */
export const hostileOperations: Record<string, HostileCalls> = {
  "GET /api/v1/audit": plain,
  "GET /api/v1/jobs/{jobId}": plain,
  "GET /api/v1/jobs/{jobId}/mail": plain,
  "POST /api/v1/jobs/{jobId}/mail": body({ whenEnded: false }),
  // A job may end before it is cancelled. So more are started at once than a project may run, and the last one waits.
  "POST /api/v1/jobs/{jobId}/cancel": async (world) => {
    const made = await Promise.all(Array.from({ length: 12 }, () => newScenario(world)));
    return [{ params: { jobId: made.at(-1)!.jobId } }];
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
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/difference": ({ scenarioIds }) => [
    { query: `baselineId=${scenarioIds[1]}&maxPoints=20000` },
  ],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/actuals": () => [{ query: "maxPoints=20000" }],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/outlook": () => [{ query: "period=month" }],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/stability": plain,
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/overrides": () => [{ query: "limit=200" }],
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/overrides": ({ sizes }) => [
    { body: { ...longOverride(sizes), reason: "All rows" } },
  ],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/overrides/{overrideId}": async (world) => [
    { params: { overrideId: await newOverride(world) } },
  ],
  "DELETE /api/v1/projects/{projectId}/scenarios/{scenarioId}/overrides/{overrideId}": async (world) => [
    { params: { overrideId: await newOverride(world) } },
  ],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/extrapolation": plain,
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/generated-inputs": plain,
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/predictions/contributions": ({ sizes }) => [
    { query: `rows=${Array.from({ length: 100 }, (_, at) => sizes.scenarioRows - at).join(",")}` },
  ],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/predictions": () => [
    { title: "rows", query: `limit=200&${levels}` },
    { title: "chart", query: `maxPoints=20000&${levels}` },
    { title: "days", query: `maxPoints=20000&bucket=day&aggregate=mean&${levels}` },
    { title: "CSV", query: levels, ...csv },
  ],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/rows": ({ sizes }) => [
    { query: `limit=200&offset=${sizes.scenarioRows - 200}&${levels}` },
  ],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/runs": () => [{ query: "limit=200" }],
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/runs": async (world) => {
    const { scenarioId, jobId } = await newScenario(world);
    await world.tenant.ended(jobId);
    return [{ params: { scenarioId }, body: {} }];
  },
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/goal-seek": (world) => [
    {
      body: {
        levers: Array.from({ length: 6 }, (_, at) => ({
          feature: `f${at}`,
          operation: "add",
          min: -5,
          max: 4.999,
          step: 0.001,
        })),
        goal: { statistic: "sum", relation: "equal", value: 12_345, of: "upper" },
        constraints: Array.from({ length: 5 }, () => ({
          statistic: "mean",
          relation: "atMost",
          value: 0,
          of: "lower",
        })),
        from: timeOf(world.sizes.datasetRows),
        to: timeOf(world.sizes.datasetRows + (world.sizes.isLong ? 3_000 : 50) - 1),
      },
    },
  ],
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/preview": ({ previewedId, sizes }) =>
    [true, false].map((explain) => ({
      title: explain ? "explained" : "of points",
      params: { scenarioId: previewedId },
      body: {
        adjustments: sizes.isLong || !explain ? manyAdjustments : manyAdjustments.slice(0, 3),
        explain,
        maxPoints: 20_000,
        levels: INTERVAL_LEVELS,
      },
    })),
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/sensitivity": (world) => [
    ...(world.sizes.isLong ? [{ title: "of the whole span", query: "change=range&curves=true" }] : []),
    {
      title: "of a short span",
      query: `change=range&curves=true&${span(world, world.sizes.isLong ? 500 : 50)}`,
    },
  ],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/live-model": ({ previewedId }) => [
    { params: { scenarioId: previewedId } },
  ],
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}": plain,
  "PATCH /api/v1/projects/{projectId}/scenarios/{scenarioId}": body({ notes: "x".repeat(5_000) }),
  "DELETE /api/v1/projects/{projectId}/scenarios/{scenarioId}": async (world) => [
    { params: { scenarioId: (await newScenario(world)).scenarioId } },
  ],
  "GET /api/v1/projects/{projectId}/scenarios/compare": (world) => [
    { title: "chart", query: `${ids(world)}&maxPoints=20000&${levels}` },
    { title: "hours", query: `${ids(world)}&maxPoints=20000&bucket=hour&${levels}` },
    { title: "days", query: `${ids(world)}&maxPoints=20000&bucket=day&${levels}` },
    { title: "page", query: `${ids(world)}&limit=1000&offset=1000&${levels}` },
    { title: "CSV", query: `${ids(world)}&${levels}`, ...csv },
  ],
  "GET /api/v1/projects/{projectId}/scenarios/filters": plain,
  "GET /api/v1/projects/{projectId}/scenarios/template": plain,
  "GET /api/v1/projects/{projectId}/scenarios/extrapolation": (world) => [{ query: ids(world) }],
  "GET /api/v1/projects/{projectId}/scenarios": () => [
    { query: `limit=200&search=${encodeURIComponent("%_x".repeat(60))}&sort=title` },
  ],
  "POST /api/v1/projects/{projectId}/scenarios": (world) => [
    {
      title: "file",
      body: () => ({ title: "Long", checkpointId: world.checkpointId, fileData: base64(longest(world)) }),
    },
    {
      title: "adjusted",
      body: {
        title: "Adjusted",
        checkpointId: world.checkpointId,
        baseScenarioId: world.scenarioIds[0],
        adjustments: manyAdjustments,
      },
    },
    ...world.imported.map(({ name, checkpointId, width }) => ({
      title: name,
      body: () => ({
        title: name,
        checkpointId,
        fileData: base64(numbersCsv(world.sizes.isLong ? 100_000 : 1_024, width)),
      }),
    })),
  ],
  "POST /api/v1/projects/{projectId}/scenarios/validate": (world) => [
    ...withFiles(world, {}),
    {
      title: "hours",
      body: () => ({ fileData: base64(longest(world)), checkpointId: world.checkpointId }),
    },
    { title: "adjusted", body: { baseScenarioId: world.scenarioIds[0], adjustments: manyAdjustments } },
  ],
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
