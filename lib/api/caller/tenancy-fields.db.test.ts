import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { exportCheckpoint } from "#lib/domain/checkpoints/export-checkpoint";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { callRoute, createKey, testContext } from "#testing/api";
import { idFields } from "#testing/id-fields";
import { createNeighbours, distinguishable, type Neighbours } from "#testing/neighbours";
import { inputCsv, type PopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type CallParts, type RouteCase, routeCases } from "#testing/route-cases";
import { base64 } from "#testing/scenario-factory";
import { validCalls } from "#testing/valid-calls";

await createTestDatabase();
const cases = await routeCases();
const relations = ["stranger", "upstream", "downstream"] as const;
type Relation = (typeof relations)[number];

/** A field that takes an ID: the IDs of the own project that it accepts, and the foreign IDs to try. */
type Row = {
  /** Error for an ID of another project, the same as for an unknown ID. 200 if the field is ignored. */
  rejection: [status: number, code?: string];
  id(project: PopulatedProject): string;
  /** A valid ID. Defaults to `id` of the own project. */
  own?(own: PopulatedProject): string | Promise<string>;
  /** Differences from the route's valid request. */
  parts(id: string, own: PopulatedProject): CallParts;
  /** Projects whose resources a key may name here. A declared dependency is permitted. */
  may?: Relation;
  /** Tests only keys, because sessions see every project. */
  keysOnly?: true;
};

const checkpoint = (parts: Row["parts"]): Row => ({
  rejection: [404, "checkpoint_not_found"],
  id: ({ checkpointId }) => checkpointId,
  parts,
});
const upload = (body: object = {}): Row => ({
  rejection: [404, "upload_not_found"],
  id: ({ uploadId }) => uploadId,
  parts: (uploadId) => ({ body: { ...body, uploadId } }),
});
const readOver = (field: string): Row => ({
  rejection: [200],
  id: ({ checkpointId }) => checkpointId,
  parts: (id) => ({ body: { description: "Same", [field]: id } }),
});
const scenarioBody = ({ checkpointId, pinnedCheckpoints }: PopulatedProject) => ({
  title: "New",
  checkpointId,
  dependentProjectCheckpoints: pinnedCheckpoints,
});
const fileData = base64(inputCsv);
const upstreamOf = ({ dependencies }: PopulatedProject) => dependencies[0]!.projectId;
const project = (parts: Row["parts"]): Row => ({
  rejection: [404, "project_not_found"],
  id: ({ projectId }) => projectId,
  parts,
  keysOnly: true,
});

const ofProject = "/api/v1/projects/{projectId}";
const pinnedCheckpointsOf = (route: string): Record<string, Row> => ({
  [`POST ${ofProject}/${route} dependentProjectCheckpoints{}`]: {
    rejection: [400, "dependency_unknown"],
    id: ({ projectId }) => projectId,
    own: upstreamOf,
    parts: (id, own) => ({
      body: {
        ...scenarioBody(own),
        fileData,
        dependentProjectCheckpoints: { ...own.pinnedCheckpoints, [id]: null },
      },
    }),
    may: "upstream",
  },
  [`POST ${ofProject}/${route} dependentProjectCheckpoints.*`]: {
    ...checkpoint((id, own) => ({
      body: { ...scenarioBody(own), fileData, dependentProjectCheckpoints: { [upstreamOf(own)]: id } },
    })),
    own: (own) => own.pinnedCheckpoints[upstreamOf(own)]!,
    may: "upstream",
  },
});
const ofScenario = `${ofProject}/scenarios/{scenarioId}`;
/** The first run has the ID of its scenario. */
const run = (query: (own: PopulatedProject) => Record<string, string> = () => ({})): Row => ({
  rejection: [404, "run_not_found"],
  id: ({ scenarioId }) => scenarioId,
  parts: (id, own) => ({ query: { ...query(own), run: id } }),
});
const computed = ["/extrapolation", "/generated-inputs", "/live-model", "/sensitivity"];
const readsOfRuns = ["", "/predictions", "/rows", "/actuals", ...computed];
/** null: names no resource of a project. `tenancy-cursors` tests cursors. */
const table: Record<string, Row | null> = {
  [`POST ${ofProject}/scenarios checkpointId`]: checkpoint((checkpointId, own) => ({
    body: { ...scenarioBody(own), fileData, checkpointId },
  })),
  [`POST ${ofProject}/scenarios uploadId`]: {
    ...upload(),
    parts: (uploadId, own) => ({ body: { ...scenarioBody(own), uploadId } }),
  },
  [`POST ${ofProject}/scenarios baseScenarioId`]: {
    rejection: [404, "scenario_not_found"],
    id: ({ scenarioId }) => scenarioId,
    parts: (baseScenarioId, own) => ({ body: { ...scenarioBody(own), baseScenarioId } }),
  },
  ...pinnedCheckpointsOf("scenarios"),
  ...pinnedCheckpointsOf("scenarios/validate"),
  [`POST ${ofScenario}/runs checkpointId`]: checkpoint((checkpointId) => ({ body: { checkpointId } })),
  [`POST ${ofScenario}/runs dependentProjectCheckpoints{}`]: {
    rejection: [400, "dependency_unknown"],
    id: ({ projectId }) => projectId,
    own: upstreamOf,
    parts: (id, own) => ({
      body: { dependentProjectCheckpoints: { ...own.pinnedCheckpoints, [id]: null } },
    }),
    may: "upstream",
  },
  [`POST ${ofScenario}/runs dependentProjectCheckpoints.*`]: {
    ...checkpoint((id, own) => ({ body: { dependentProjectCheckpoints: { [upstreamOf(own)]: id } } })),
    own: (own) => own.pinnedCheckpoints[upstreamOf(own)]!,
    may: "upstream",
  },
  ...Object.fromEntries(readsOfRuns.map((path) => [`GET ${ofScenario}${path} run`, run()])),
  [`GET ${ofScenario}/predictions/contributions run`]: run(() => ({ rows: "1" })),
  [`GET ${ofScenario}/outlook run`]: {
    ...run(() => ({ period: "month" })),
    own: async (own) => (await validCalls[`GET ${ofScenario}/outlook`]!(own)).params!.scenarioId!,
  },
  [`GET ${ofProject}/track-record scenarioId`]: {
    rejection: [404, "scenario_not_found"],
    id: ({ scenarioId }) => scenarioId,
    parts: (scenarioId) => ({ query: { scenarioId } }),
  },
  [`GET ${ofProject}/scenarios/extrapolation run`]: run(({ scenarioId }) => ({ ids: scenarioId })),
  [`GET ${ofProject}/scenarios/compare run`]: run(({ scenarioId, otherScenarioId }) => ({
    ids: `${scenarioId},${otherScenarioId}`,
  })),
  [`GET ${ofScenario}/difference run`]: run(({ otherScenarioId }) => ({ baselineId: otherScenarioId })),
  [`POST ${ofProject}/scenarios/validate checkpointId`]: checkpoint((checkpointId) => ({
    body: { fileData, checkpointId },
  })),
  [`POST ${ofProject}/scenarios/validate uploadId`]: upload(),
  [`POST ${ofProject}/scenarios/validate baseScenarioId`]: {
    rejection: [404, "scenario_not_found"],
    id: ({ scenarioId }) => scenarioId,
    parts: (baseScenarioId) => ({ body: { baseScenarioId } }),
  },
  [`POST ${ofProject}/predict checkpointId`]: checkpoint((checkpointId) => ({
    body: { input: { temp: [1], wind: [2] }, checkpointId },
  })),
  [`POST ${ofProject}/checkpoints modelId`]: {
    rejection: [404, "model_not_found"],
    id: ({ modelId }) => modelId,
    parts: (modelId) => ({ body: { modelId } }),
  },
  [`POST ${ofProject}/checkpoints/import uploadId`]: { ...upload(), own: () => checkpointUpload },
  [`PUT ${ofProject}/dataset uploadId`]: upload({ target: "demand" }),
  [`POST ${ofProject}/dataset/rows uploadId`]: upload(),
  // Only compared with the current version: any other one is rejected, whichever project has it.
  [`PATCH ${ofProject}/dataset/rows versionId`]: null,
  [`GET ${ofProject}/dataset/versions/{versionId}/changes sinceId`]: {
    rejection: [404, "version_not_found"],
    id: ({ datasetId }) => datasetId,
    parts: (sinceId) => ({ query: { sinceId } }),
  },
  [`POST ${ofProject}/models/import uploadId`]: upload({
    modelName: "M",
    target: "demand",
    targetMetric: "rmse",
  }),
  [`PUT ${ofProject}/dependencies dependencies[].projectId`]: {
    ...project((projectId) => ({ body: { dependencies: [{ projectId, featureName: "up" }] } })),
    own: upstreamOf,
    may: "upstream",
  },
  [`PUT ${ofProject}/checkpoints/{checkpointId} id`]: readOver("id"),
  [`PUT ${ofProject}/checkpoints/{checkpointId} linkedCheckpointId`]: readOver("linkedCheckpointId"),
  [`PUT ${ofProject}/checkpoints/{checkpointId} modelId`]: readOver("modelId"),
  [`PUT ${ofProject}/checkpoints/{checkpointId} projectId`]: readOver("projectId"),
  // Users belong to the service, not to projects.
  [`POST ${ofProject}/members userId`]: null,
  [`POST ${ofProject}/comparisons scenarioIds`]: null,
  [`POST ${ofProject}/comparisons scenarioIds[]`]: {
    rejection: [404, "scenario_not_found"],
    id: ({ otherScenarioId }) => otherScenarioId,
    parts: (id, { scenarioId }) => ({ body: { name: "Both", scenarioIds: [scenarioId, id] } }),
  },
  [`PATCH ${ofProject}/comparisons/{comparisonId} scenarioIds`]: null,
  [`PATCH ${ofProject}/comparisons/{comparisonId} scenarioIds[]`]: {
    rejection: [404, "scenario_not_found"],
    id: ({ otherScenarioId }) => otherScenarioId,
    parts: (id, { scenarioId }) => ({ body: { scenarioIds: [scenarioId, id] } }),
  },
  [`PATCH ${ofProject}/comparisons/{comparisonId} decision.scenarioId`]: {
    rejection: [400, "validation_failed"],
    id: ({ otherScenarioId }) => otherScenarioId,
    parts: (scenarioId) => ({ body: { decision: { scenarioId, reason: "Warm" } } }),
  },
  [`GET ${ofProject}/scenarios checkpointId`]: {
    rejection: [200],
    id: ({ checkpointId }) => checkpointId,
    parts: (checkpointId) => ({ query: { checkpointId } }),
  },
  [`GET ${ofProject}/scenarios checkpointId[]`]: null,
  [`GET ${ofProject}/scenarios/template checkpointId`]: checkpoint((checkpointId) => ({
    query: { checkpointId },
  })),
  [`GET ${ofProject}/scenarios/compare ids`]: {
    rejection: [404, "scenario_not_found"],
    id: ({ otherScenarioId }) => otherScenarioId,
    parts: (id, { scenarioId }) => ({ query: { ids: `${scenarioId},${id}` } }),
  },
  [`GET ${ofProject}/scenarios/compare baselineId`]: {
    rejection: [400, "validation_failed"],
    id: ({ scenarioId }) => scenarioId,
    parts: (baselineId, own) => ({
      query: { ids: `${own.scenarioId},${own.otherScenarioId}`, baselineId },
    }),
  },
  [`GET ${ofProject}/scenarios/extrapolation ids`]: {
    rejection: [404, "scenario_not_found"],
    id: ({ otherScenarioId }) => otherScenarioId,
    parts: (id, { scenarioId }) => ({ query: { ids: `${scenarioId},${id}` } }),
  },
  [`GET ${ofProject}/scenarios/{scenarioId}/difference baselineId`]: {
    rejection: [404, "scenario_not_found"],
    id: ({ otherScenarioId }) => otherScenarioId,
    parts: (baselineId) => ({ query: { baselineId } }),
  },
  "GET /api/v1/realtime projectId": project((projectId) => ({ query: { projectId } })),
  "POST /api/v1/realtime/auth channel_name": project((id) => ({
    body: `socket_id=1.1&channel_name=private-project-${id}`,
  })),
  "POST /api/v1/realtime/auth socket_id": null,
  // Sessions belong to members, not to projects: `own-account.db.test.ts` sends the ID of another member's session.
  "POST /api/v1/me/sessions/end sessionId": null,
  "GET /api/v1/audit actorId": null,
  [`GET ${ofProject}/audit actorId`]: null,
};

const fields = cases.flatMap((item) =>
  idFields(item.handler.declaration).map((field): [string, RouteCase] => [`${item.name} ${field}`, item]),
);

let world: Neighbours;
/** An upload in the own project that holds a checkpoint file. */
let checkpointUpload: string;
beforeAll(async () => {
  world = await createNeighbours();
  const { content } = await exportCheckpoint(testContext(), world.own);
  const upload = { projectId: world.own.projectId, content, isCsv: false };
  checkpointUpload = (await createUpload(testContext(), upload)).uploadId;
});

test("every ID in a query or a body has a row", () => {
  const found = fields.map(([name]) => name).filter((name) => !name.endsWith(" cursor"));
  expect(Object.keys(table).sort()).toEqual(found.sort());
});

const rows = fields.flatMap(([name, item]) => {
  const row = table[name];
  return row ? [[name, item, row] as const] : [];
});

/** The request unchanged, with an unknown field, and with an unreadable file. All three must reveal equally little. */
const variants: ((parts: CallParts) => CallParts)[] = [
  (parts) => parts,
  (parts) => (parts.body instanceof Object ? { ...parts, body: { ...parts.body, nonsense: 1 } } : parts),
  (parts) =>
    parts.body instanceof Object && "fileData" in parts.body
      ? { ...parts, body: { ...parts.body, fileData: base64("nonsense\n1\n") } }
      : parts,
];

describe.each(rows)("%s", (_name, item, row) => {
  const callers: ("key" | "analyst" | "admin")[] = row.keysOnly ? ["key"] : ["key", "analyst", "admin"];

  test.each(callers)("accepts only IDs of the own project from %s", async (who) => {
    const as = who === "key" ? await createKey({ projectId: world.own.projectId }) : world[who];
    const { params = {} } = await validCalls[item.name]!(world.own);
    const ask = (id: string, vary = variants[0]!) =>
      callRoute(item.handler, { ...item.call({ params, ...vary(row.parts(id, world.own)) }), as });
    const own = await ask(await (row.own ?? row.id)(world.own));
    expect(own.status, own.text).toBeLessThan(300);
    for (const vary of variants) {
      const unknownId = randomUUID();
      const unknown = await ask(unknownId, vary);
      if (vary === variants[0]) {
        expect([unknown.status, unknown.error?.code], unknown.text).toEqual([
          row.rejection[0],
          row.rejection[1],
        ]);
      }
      for (const relation of relations) {
        if (relation === row.may) continue;
        const id = row.id(world[relation]);
        expect(distinguishable(await ask(id, vary), id), relation).toEqual(
          distinguishable(unknown, unknownId),
        );
      }
    }
  });
});
