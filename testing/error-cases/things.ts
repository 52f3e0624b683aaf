import { createKey, createProject } from "../api.ts";
import { storePanelScenario } from "../stored-scenario.ts";
import { type ErrorCase, ofProject, unknownId } from "./error-case.ts";

/** Errors of missing resources. Ids in the body or query have details with their field; ids in the path have none. */
export const thingErrors = {
  async project_not_found({ call }) {
    const answer = await call(`GET ${ofProject}`, { params: { projectId: unknownId } });
    return { answer, message: "No such project. Check the project's ID." };
  },

  async checkpoint_not_found({ call }) {
    const body = { input: { temp: [1], wind: [2] }, checkpointId: unknownId };
    const answer = await call(`POST ${ofProject}/predict`, { body });
    return {
      answer,
      message: "No such checkpoint. Check the checkpoint's ID.",
      details: [
        {
          field: "checkpointId",
          id: unknownId,
          code: "checkpoint_not_found",
          message: "No such checkpoint.",
        },
      ],
    };
  },

  async scenario_not_found({ call, own }) {
    const ids = `${own.scenarioId},${unknownId},nonsense`;
    const answer = await call(`GET ${ofProject}/scenarios/compare`, { query: { ids } });
    const place = { field: "ids", code: "scenario_not_found", message: "No such scenario." };
    return {
      answer,
      message: "No such scenario. Check the scenario's ID.",
      details: [
        { ...place, id: unknownId },
        { ...place, id: "nonsense" },
      ],
    };
  },

  async run_not_found({ call, own }) {
    const answer = await call(`GET ${ofProject}/scenarios/{scenarioId}`, {
      params: { scenarioId: own.scenarioId },
      query: { run: unknownId },
    });
    const message = "No such run of the scenario.";
    const place = { field: "run", id: unknownId, code: "run_not_found", message };
    const remedy = "List the runs with `GET …/scenarios/{scenarioId}/runs`.";
    return { answer, message: `${message} ${remedy}`, details: [place] };
  },

  async series_not_found({ call, own }) {
    const row = { store: "A", item: "1", region: "south", time: 0, prediction: 1 };
    const scenarioId = await storePanelScenario(own.projectId, [row]);
    const answer = await call(`GET ${ofProject}/scenarios/{scenarioId}/predictions`, {
      params: { scenarioId },
      query: { series: unknownId },
    });
    const message = "No such series in the scenario.";
    const place = { field: "series", id: unknownId, code: "series_not_found", message };
    return { answer, message: `${message} List the series with \`GET …/series\`.`, details: [place] };
  },

  async override_not_found({ call, own: { scenarioId } }) {
    const route = `GET ${ofProject}/scenarios/{scenarioId}/overrides/{overrideId}`;
    const answer = await call(route, { params: { scenarioId } });
    return { answer, message: "No such active override of the scenario. Check the override's ID." };
  },

  async comparison_not_found({ call }) {
    const answer = await call(`GET ${ofProject}/comparisons/{comparisonId}`);
    return { answer, message: "No such saved comparison. Check the comparison's ID." };
  },

  async comparison_limit_reached({ call, own }) {
    const body = { name: "Same", scenarioIds: [own.scenarioId, own.otherScenarioId] };
    let answer = await call(`POST ${ofProject}/comparisons`, { body });
    while (answer.status === 201) answer = await call(`POST ${ofProject}/comparisons`, { body });
    return {
      answer,
      message:
        "The project already has 100 saved comparisons. Delete a saved comparison that is no longer used.",
    };
  },

  async job_not_found({ call }) {
    const answer = await call("GET /api/v1/jobs/{jobId}", { params: { jobId: unknownId } });
    return { answer, message: "No such job. Check the job's ID." };
  },

  async api_key_not_found({ call, admin }) {
    const answer = await call(`DELETE ${ofProject}/api-keys/{keyId}`, {}, admin);
    return { answer, message: "No such API key. Check the key's ID." };
  },

  async webhook_not_found({ call, admin }) {
    const answer = await call(`GET ${ofProject}/webhooks/{webhookId}`, {}, admin);
    return { answer, message: "No such webhook. Check the webhook's ID." };
  },

  async webhook_limit_reached({ call, admin }) {
    const body = { url: "https://example.com/hooks", events: ["model-trained"] };
    let answer = await call(`POST ${ofProject}/webhooks`, { body }, admin);
    while (answer.status === 201) answer = await call(`POST ${ofProject}/webhooks`, { body }, admin);
    return {
      answer,
      message: "The project already has 20 webhooks. Delete a webhook that is no longer used.",
    };
  },

  async delivery_not_found({ call, admin, own }) {
    const route = `POST ${ofProject}/webhooks/{webhookId}/deliveries/{deliveryId}/resend`;
    const answer = await call(route, { params: { webhookId: own.webhookId } }, admin);
    const message = "No such delivery. List the deliveries with `GET …/webhooks/{webhookId}/deliveries`.";
    return { answer, message };
  },

  async dataset_not_found({ call }) {
    const { id: projectId } = await createProject();
    const as = await createKey({ projectId });
    const answer = await call(`GET ${ofProject}/dataset`, { params: { projectId } }, as);
    return { answer, message: "The project has no dataset. Upload one with `PUT …/dataset`." };
  },

  async version_not_found({ call }) {
    const answer = await call(`POST ${ofProject}/dataset/versions/{versionId}/restore`);
    const message =
      "No such version of the dataset. Choose one of `GET …/dataset/versions`. The service keeps the last ten.";
    return { answer, message };
  },

  async model_not_found({ call }) {
    const answer = await call(`GET ${ofProject}/models/{modelId}`);
    return { answer, message: "No such model. Check the model's ID." };
  },

  async upload_not_found({ call }) {
    const body = { uploadId: unknownId, target: "demand" };
    const answer = await call(`PUT ${ofProject}/dataset`, { body });
    return {
      answer,
      message: "No such upload. Upload the file again; unused uploads are kept 24 hours.",
      details: [{ field: "uploadId", id: unknownId, code: "upload_not_found", message: "No such upload." }],
    };
  },

  async member_not_found({ call, admin }) {
    const answer = await call("DELETE /api/v1/members/{userId}", {}, admin);
    return { answer, message: "No such member. Check the member's ID." };
  },
} satisfies Record<string, ErrorCase>;
