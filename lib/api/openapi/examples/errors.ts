import type { ErrorBody } from "#lib/contract/common";
import { type ErrorCode, errorCodes } from "#lib/contract/error-codes";
import { ids } from "./ids.ts";

type ErrorExample = Omit<ErrorBody["error"], "code" | "requestId">;

/** Examples with more details than the texts of `errorCodes`: location, values, IDs. */
const specificErrors: Partial<Record<ErrorCode, ErrorExample>> = {
  malformed_json: { message: "The body is not valid JSON: look at position 13." },
  validation_failed: {
    message: "The body is not valid: title is required (and 1 more, see details).",
    details: [
      { field: "title", code: "required", message: "title is required" },
      { field: "colour", code: "unknown_field", message: "colour is not a field of this request" },
    ],
  },
  input_invalid: {
    message: 'The CSV has an issue: Row 2, column "temp": "abc" is not a number.',
    details: [
      {
        row: 2,
        column: "temp",
        value: "abc",
        expected: "a number",
        code: "not_a_number",
        message: 'Row 2, column "temp": "abc" is not a number.',
      },
    ],
  },
  no_trained_model: { message: 'The project "Energy" has no trained model. Train or import one first.' },
  checkpoint_limit_reached: {
    message:
      'The project "Energy" already has 20 checkpoints, the maximum. Delete a checkpoint that is no longer used.',
  },
  duplicate_label: {
    message:
      'Another checkpoint of the project has the label "Winter 2026". Choose another label, or leave it out.',
    details: [
      {
        field: "label",
        value: "Winter 2026",
        code: "duplicate_label",
        message: "Another checkpoint has this label.",
      },
    ],
  },
  checkpoint_in_use: {
    message: 'A scenario uses the checkpoint "Winter 2026". Delete the scenario first.',
    details: [
      {
        field: "scenarios",
        id: ids.scenario,
        value: "Warm February",
        code: "checkpoint_in_use",
        message: `The scenario "Warm February" (${ids.scenario}) uses the checkpoint.`,
      },
    ],
  },
  dependency_has_no_model: {
    message: "An upstream project has no trained model. Train or import one there first.",
    details: [
      {
        field: "dependentProjectCheckpoints",
        id: ids.upstreamProject,
        code: "dependency_has_no_model",
        message: `The project "Temperature" (${ids.upstreamProject}) has no trained model.`,
      },
    ],
  },
  dependency_checkpoint_required: {
    message: `The project uses predictions of upstream projects. Set a checkpoint or null in dependentProjectCheckpoints for ${ids.upstreamProject}.`,
    details: [
      {
        field: `dependentProjectCheckpoints.${ids.upstreamProject}`,
        id: ids.upstreamProject,
        message: `Set a checkpoint of project ${ids.upstreamProject}, or null to save its current model.`,
      },
    ],
  },
  dependency_unknown: {
    message: `dependentProjectCheckpoints contains ${ids.project}, which this project does not depend on. Remove the entry, or declare the dependency first.`,
    details: [
      {
        field: `dependentProjectCheckpoints.${ids.project}`,
        id: ids.project,
        message: `${ids.project} is not a dependency of the project.`,
      },
    ],
  },
  dependency_cycle: {
    message: "The dependencies would form a cycle: Energy → Temperature → Energy. Remove one of them.",
    details: [
      {
        field: "dependencies",
        id: ids.upstreamProject,
        code: "dependency_cycle",
        message: "Energy would use the predictions of Temperature.",
      },
      {
        field: "dependencies",
        id: ids.project,
        code: "dependency_cycle",
        message: "Temperature would use the predictions of Energy.",
      },
    ],
  },
  job_not_cancellable: { message: "The job has already ended: its status is Completed." },
  job_not_retryable: { message: "Only a Failed or Cancelled job can be retried. This job is Completed." },
  forbidden: { message: "This operation requires the role admin. Ask a member with this role." },
  scenario_not_ready: {
    message: `The scenario "Warm February" has no predictions, because its job ${ids.job} is Running. Wait until the job is Completed.`,
    details: [
      {
        id: ids.scenario,
        message: `The scenario "Warm February" has no predictions, because its job ${ids.job} is Running. Wait until the job is Completed.`,
      },
    ],
  },
  payload_too_large: { message: "The body exceeds the limit of 1,000,000 bytes. Send a smaller body." },
  unsupported_media_type: {
    message: "Send the body as application/json in UTF-8, with a matching header Content-Type.",
  },
  rate_limited: { message: "Too many requests. Retry after 3 s." },
};

const exampleOf = (code: ErrorCode): ErrorBody => ({
  success: false,
  error: {
    code,
    ...(specificErrors[code] ?? { message: `${errorCodes[code][1]} ${errorCodes[code][2]}` }),
    requestId: ids.request,
  },
});

/** Example body of each error code, by code. */
export const errorExamples = Object.fromEntries(
  (Object.keys(errorCodes) as ErrorCode[]).map((code) => [
    code,
    { summary: errorCodes[code][1], value: exampleOf(code) },
  ]),
);
