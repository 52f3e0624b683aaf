import { INTERVAL_LEVELS } from "#lib/contract/interval-shape";
import { hourlyCsv, timeOf } from "./hostile-csv.ts";
import type { World } from "./hostile-world.ts";
import {
  body,
  type HostileCalls,
  ids,
  levels,
  longOverride,
  manyAdjustments,
  newOverride,
  newScenario,
  numbersCsv,
  plain,
  withFiles,
} from "./request-parts.ts";
import { base64 } from "./tenant.ts";

const csv = { headers: { accept: "text/csv" } };
const longest = ({ sizes }: World) => hourlyCsv(sizes.scenarioRows, sizes.datasetRows, false);
const span = ({ sizes }: World, rows: number) =>
  `from=${timeOf(sizes.datasetRows)}&to=${timeOf(sizes.datasetRows + Math.min(rows, sizes.scenarioRows) - 1)}`;

/** Requests of the operations of scenarios, by method and path. */
export const scenarioOperations: Record<string, HostileCalls> = {
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
  "DELETE /api/v1/projects/{projectId}/overrides/{overrideId}": async (world) => [
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
};
