import type { ErrorBody } from "#lib/contract/common";
import { type ErrorCode, errorCodes } from "#lib/contract/error-codes";
import { ids } from "./ids.ts";

type Said = Omit<ErrorBody["error"], "code" | "requestId">;

/** What is said where the table's words are not all: the place, the values, the ids. */
const said: Partial<Record<ErrorCode, Said>> = {
  malformed_json: { message: "The body is not valid JSON: look at position 13." },
  validation_failed: {
    message: "The body is not valid: title is required (and 1 more, see details).",
    details: [
      { field: "title", code: "required", message: "title is required" },
      { field: "colour", code: "unknown_field", message: "colour is no field of this request" },
    ],
  },
  input_invalid: {
    message: 'The CSV has a fault: row 2, column temp: "abc" is no number',
    details: [
      {
        row: 2,
        column: "temp",
        value: "abc",
        expected: "a number",
        code: "not_a_number",
        message: 'row 2, column temp: "abc" is no number',
      },
    ],
  },
  no_trained_model: { message: 'The project "Energy" has no trained model: train or import one first.' },
  checkpoint_limit_reached: {
    message:
      'The project "Energy" already has 20 checkpoints, the most that is allowed: delete one that is no longer used.',
  },
  duplicate_label: {
    message:
      'Another checkpoint of the project has the label "Winter 2026": choose another one, or leave it out.',
    details: [
      {
        field: "label",
        value: "Winter 2026",
        code: "duplicate_label",
        message: "This label is taken.",
      },
    ],
  },
  checkpoint_in_use: {
    message: 'The checkpoint "Winter 2026" is used by a scenario: delete it first.',
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
    message: "A dependent project has no saved model: train or import one there first.",
    details: [
      {
        field: "dependentProjectCheckpoints",
        id: ids.upstreamProject,
        code: "dependency_has_no_model",
        message: 'The project "Temperature" has no saved model.',
      },
    ],
  },
  dependency_checkpoint_required: {
    message: `The project uses predictions of other projects: name a checkpoint, or null, in dependentProjectCheckpoints for ${ids.upstreamProject}.`,
    details: [
      {
        field: `dependentProjectCheckpoints.${ids.upstreamProject}`,
        id: ids.upstreamProject,
        message: `Name a checkpoint of project ${ids.upstreamProject}, or null to save its current model.`,
      },
    ],
  },
  dependency_unknown: {
    message: "dependentProjectCheckpoints names a project that this one does not depend on.",
    details: [
      {
        field: `dependentProjectCheckpoints.${ids.project}`,
        id: ids.project,
        message: `${ids.project} is no dependency of the project.`,
      },
    ],
  },
  dependency_cycle: {
    message: "The dependencies would form a cycle: Energy → Temperature → Energy.",
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
  job_not_cancellable: { message: "The job has already ended: it is Completed." },
  job_not_retryable: { message: "Only a Failed or Cancelled job can be repeated; this one is Completed." },
  forbidden: { message: "Only an admin may do this. Ask one of the members whose role is admin." },
  scenario_not_ready: {
    message: `The predictions of "Warm February" do not exist: its job ${ids.job} is Running.`,
    details: [{ id: ids.scenario, message: `"Warm February": job ${ids.job} is Running.` }],
  },
  payload_too_large: { message: "The body is larger than the 1,000,000 bytes that are allowed here." },
  unsupported_media_type: {
    message: "Send the body as application/json in UTF-8, and say so in the header Content-Type.",
  },
  rate_limited: { message: "Too many requests: wait 3 s, as Retry-After says." },
};

const exampleOf = (code: ErrorCode): ErrorBody => ({
  success: false,
  error: {
    code,
    ...(said[code] ?? { message: `${errorCodes[code][1]} ${errorCodes[code][2]}` }),
    requestId: ids.request,
  },
});

/** A body with each code of the table, by the code. */
export const errorExamples = Object.fromEntries(
  (Object.keys(errorCodes) as ErrorCode[]).map((code) => [
    code,
    { summary: errorCodes[code][1], value: exampleOf(code) },
  ]),
);
