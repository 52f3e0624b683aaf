import { abandonOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { createKey, createProject, testContext } from "../api.ts";
import { createModel } from "../model-factory.ts";
import { createWaitingScenario } from "../populated-project.ts";
import { runJobHere } from "../run-jobs.ts";
import { setEnvironment } from "../set-environment.ts";
import { type ErrorCase, ofProject } from "./error-case.ts";

/** Creates an empty project and a key for it. */
async function emptyProject(name: string) {
  const { id: projectId } = await createProject({ name });
  return { projectId, as: await createKey({ projectId }) };
}

/** Errors of models, checkpoints, scenarios and jobs. */
export const workErrors = {
  async input_invalid({ call }) {
    const answer = await call(`POST ${ofProject}/predict`, { body: { input: { temp: ["warm", 2] } } });
    return {
      answer,
      message: 'The input has 2 issues: Column "wind" is missing.',
      details: [
        {
          field: "input",
          row: null,
          column: "wind",
          value: null,
          code: "missing_column",
          expected: 'a column "wind" of type number',
          message: 'Column "wind" is missing.',
        },
        {
          field: "input",
          row: 1,
          column: "temp",
          value: "warm",
          code: "not_a_number",
          expected: "a number",
          message: 'Row 1, column "temp": "warm" is not a number.',
        },
      ],
    };
  },

  async no_trained_model({ call }) {
    const { projectId, as } = await emptyProject("Untrained");
    const answer = await call(`POST ${ofProject}/checkpoints`, { params: { projectId }, body: {} }, as);
    const message = 'The project "Untrained" has no trained model. Train or import one first.';
    return { answer, message, details: [{ id: projectId, code: "no_trained_model", message }] };
  },

  async no_dataset({ call }) {
    const { projectId, as } = await emptyProject("Without data");
    const answer = await call(`POST ${ofProject}/models/train`, { params: { projectId }, body: {} }, as);
    return { answer, message: "The project has no dataset. Upload one with `PUT …/dataset`." };
  },

  async quota_exceeded({ call }) {
    const { projectId, as } = await emptyProject("Full of uploads");
    const send = () => call(`POST ${ofProject}/uploads`, { params: { projectId }, body: "a" }, as);
    setEnvironment({ QUOTA_OPEN_UPLOADS: "1" });
    await send();
    const answer = await send();
    Reflect.deleteProperty(process.env, "QUOTA_OPEN_UPLOADS");
    setEnvironment({});
    return {
      answer,
      message:
        "The project has 1 upload that no request has used yet, and may have 1. Use them, or delete them with `DELETE …/uploads/{uploadId}`. The service deletes uploads after 24 hours.",
    };
  },

  async checkpoint_limit_reached({ call }) {
    const { projectId, as } = await emptyProject("Full");
    await createModel({ projectId });
    const send = () => call(`POST ${ofProject}/checkpoints`, { params: { projectId }, body: {} }, as);
    for (let count = 0; count < 20; count++) await send();
    return {
      answer: await send(),
      message:
        'The project "Full" already has 20 checkpoints, the maximum. Delete a checkpoint that is no longer used.',
      details: [
        {
          id: projectId,
          code: "checkpoint_limit_reached",
          message: 'The project "Full" already has 20 checkpoints.',
        },
      ],
    };
  },

  async duplicate_label({ call }) {
    const send = () => call(`POST ${ofProject}/checkpoints`, { body: { label: "Winter" } });
    await send();
    return {
      answer: await send(),
      message:
        'Another checkpoint of the project has the label "Winter". Choose another label, or leave it out.',
      details: [
        {
          field: "label",
          value: "Winter",
          code: "duplicate_label",
          message: "Another checkpoint has this label.",
        },
      ],
    };
  },

  async checkpoint_in_use({ call, own }) {
    const { checkpointId, scenarioId, otherScenarioId } = own;
    const label = "In use";
    const params = { checkpointId };
    await call(`PUT ${ofProject}/checkpoints/{checkpointId}`, { params, body: { label } });
    return {
      answer: await call(`DELETE ${ofProject}/checkpoints/{checkpointId}`, { params }),
      message: '2 scenarios use the checkpoint "In use". Delete the scenarios first.',
      details: [scenarioId, otherScenarioId].map((id) => ({
        field: "scenarios",
        id,
        projectId: own.projectId,
        value: "Scenario",
        code: "checkpoint_in_use",
        message: `The scenario "Scenario" (${id}) uses the checkpoint.`,
      })),
    };
  },

  async job_not_cancellable({ call }) {
    const { projectId, as } = await emptyProject("Cancelled");
    await createModel({ projectId });
    const sent = await call(`POST ${ofProject}/checkpoints`, { params: { projectId }, body: {} }, as);
    const { jobId } = sent.data as { jobId: string };
    await runJobHere(jobId);
    const message = "The job has already ended: its status is Completed.";
    return {
      answer: await call("POST /api/v1/jobs/{jobId}/cancel", { params: { jobId } }, as),
      message,
      details: [{ field: "status", value: "Completed", code: "job_not_cancellable", message }],
    };
  },

  async job_not_retryable({ call, own }) {
    const { jobId } = await createWaitingScenario(own);
    const message = "Only a Failed or Cancelled job can be retried. This job is Pending.";
    const answer = await call("POST /api/v1/jobs/{jobId}/retry", { params: { jobId } });
    await cancelJob(testContext(), { jobId }, abandonOf);
    return {
      answer,
      message,
      details: [{ field: "status", value: "Pending", code: "job_not_retryable", message }],
    };
  },

  async scenario_not_ready({ call, own }) {
    const { scenarioId, jobId } = await createWaitingScenario(own);
    const message = `The scenario "Scenario" has no predictions, because its job ${jobId} is Pending. Wait until the job is Completed.`;
    return {
      answer: await call(`GET ${ofProject}/scenarios/{scenarioId}/predictions`, { params: { scenarioId } }),
      message,
      details: [{ id: scenarioId, code: "scenario_not_ready", message }],
    };
  },
} satisfies Record<string, ErrorCase>;
