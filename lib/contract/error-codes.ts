/**
 * The closed set of error codes: status, meaning and what to do. The one table; the documentation is made from it.
 */
export const errorCodes = {
  malformed_json: [400, "The body is not valid JSON.", "Send a JSON document in UTF-8."],
  validation_failed: [
    400,
    "A field is missing, unknown or has a wrong value.",
    "Mend the fields named in `details`.",
  ],
  input_invalid: [
    400,
    "The CSV or the prediction input does not fit.",
    "Mend the rows and columns named in `details`.",
  ],
  no_trained_model: [400, "The project has no trained model.", "Train or import a model first."],
  checkpoint_limit_reached: [
    400,
    "The project already has 20 checkpoints.",
    "Delete a checkpoint that is no longer used.",
  ],
  duplicate_label: [
    400,
    "Another checkpoint of the project has this label.",
    "Choose another label, or leave it out.",
  ],
  checkpoint_in_use: [400, "Scenarios use the checkpoint.", "Delete the scenarios named in `details` first."],
  dependency_has_no_model: [
    400,
    "A dependent project has no saved model.",
    "Train a model in the project named in `details`.",
  ],
  dependency_checkpoint_required: [
    400,
    "A dependent project has no checkpoint in the request.",
    "Name every project in `details` in `dependentProjectCheckpoints`.",
  ],
  dependency_unknown: [
    400,
    "A project in `dependentProjectCheckpoints` is no dependency of this one.",
    "Leave it out, or declare the dependency first.",
  ],
  dependency_cycle: [
    400,
    "The dependencies would form a cycle.",
    "Remove one dependency of the cycle in `details`.",
  ],
  job_not_cancellable: [400, "The job has already ended.", "Nothing to do: a terminal state never changes."],
  job_not_retryable: [
    400,
    "The job did not fail or cannot be repeated.",
    "Only failed or cancelled jobs can be retried.",
  ],
  no_dataset: [400, "The project has no dataset.", "Upload one with `PUT …/dataset`."],
  api_key_missing: [401, "No API key and no session.", "Send the header `X-API-Key`."],
  api_key_invalid: [
    401,
    "The API key is not valid.",
    "Check the key, or create a new one in the project's settings.",
  ],
  session_required: [401, "The session has ended, or email or password is wrong.", "Sign in again."],
  forbidden: [403, "You may not do this.", "Ask an admin."],
  project_not_found: [404, "No such project.", "Check the project's id."],
  checkpoint_not_found: [404, "No such checkpoint.", "Check the checkpoint's id."],
  scenario_not_found: [404, "No such scenario.", "Check the scenario's id."],
  job_not_found: [404, "No such job.", "Check the job's id."],
  api_key_not_found: [404, "No such API key.", "Check the key's id."],
  dataset_not_found: [404, "The project has no dataset.", "Upload one with `PUT …/dataset`."],
  model_not_found: [404, "No such model.", "Check the model's id."],
  upload_not_found: [404, "No such upload.", "Upload the file again; unused uploads are kept 24 hours."],
  member_not_found: [404, "No such member.", "Check the member's id."],
  not_found: [404, "There is nothing at this address.", "Check the path against the documentation."],
  method_not_allowed: [
    405,
    "This address does not take this method.",
    "Use one of the methods in the `Allow` header.",
  ],
  idempotency_in_progress: [
    409,
    "The first request with this key is still running.",
    "Wait, then send it again.",
  ],
  scenario_not_ready: [
    409,
    "The scenario's predictions do not exist yet.",
    "Wait until its job is Completed.",
  ],
  precondition_failed: [
    412,
    "The resource has changed since you read it.",
    "Read it again and repeat the change.",
  ],
  payload_too_large: [
    413,
    "The body is larger than allowed.",
    "Send less, or upload large CSV by `POST …/uploads`.",
  ],
  unsupported_media_type: [
    415,
    "The content type is not accepted here.",
    "Send the content type that the message names.",
  ],
  idempotency_mismatch: [
    422,
    "The idempotency key was used with another request.",
    "Use a new key for a new request.",
  ],
  rate_limited: [429, "Too many requests.", "Wait as long as `Retry-After` says."],
  internal_error: [
    500,
    "Something went wrong on our side.",
    "Try again; report the request id if it persists.",
  ],
  service_unavailable: [503, "The service cannot answer right now.", "Wait as long as `Retry-After` says."],
} as const satisfies Record<string, readonly [status: number, meaning: string, remedy: string]>;

export type ErrorCode = keyof typeof errorCodes;
