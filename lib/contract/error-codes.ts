/**
 * The closed set of error codes: status, meaning and action to take. The documentation is generated from this table.
 */
export const errorCodes = {
  malformed_json: [400, "The body is not valid JSON.", "Send a JSON document in UTF-8."],
  validation_failed: [
    400,
    "A field is missing, unknown or invalid.",
    "Correct the fields listed in `details`.",
  ],
  input_invalid: [
    400,
    "The CSV or the prediction input is invalid.",
    "Correct the rows and columns listed in `details`.",
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
  checkpoint_in_use: [
    400,
    "Scenarios use the checkpoint.",
    "Delete the scenarios listed in `details` first.",
  ],
  comparison_limit_reached: [
    400,
    "The project already has 100 saved comparisons.",
    "Delete a saved comparison that is no longer used.",
  ],
  webhook_limit_reached: [
    400,
    "The project already has 20 webhooks.",
    "Delete a webhook that is no longer used.",
  ],
  quota_exceeded: [
    400,
    "The project has used up its space, or its open uploads.",
    "Delete scenarios, checkpoints, uploads or versions of the dataset that are no longer needed.",
  ],
  dependency_has_no_model: [
    400,
    "An upstream project has no trained model.",
    "Train a model in the project named in `details`.",
  ],
  dependency_checkpoint_required: [
    400,
    "The request names no checkpoint for an upstream project.",
    "Add every project in `details` to `dependentProjectCheckpoints`.",
  ],
  dependency_unknown: [
    400,
    "A project in `dependentProjectCheckpoints` is not an upstream project of this one.",
    "Remove the entry, or declare the dependency first.",
  ],
  dependency_cycle: [
    400,
    "The dependencies would form a cycle.",
    "Remove one dependency of the cycle listed in `details`.",
  ],
  job_not_cancellable: [
    400,
    "The job has already ended.",
    "No action needed: a terminal state never changes.",
  ],
  job_not_retryable: [
    400,
    "The job is neither failed nor cancelled, or its retry is not possible.",
    "Retry only failed or cancelled jobs, or send a new request.",
  ],
  no_dataset: [400, "The project has no dataset.", "Upload one with `PUT …/dataset`."],
  api_key_missing: [401, "The request has neither an API key nor a session.", "Send the header `X-API-Key`."],
  api_key_invalid: [
    401,
    "The API key is invalid.",
    "Check the key, or create a new one in the project's settings.",
  ],
  session_required: [401, "The session has ended, or the email or password is wrong.", "Sign in again."],
  forbidden: [403, "The caller does not have permission for this operation.", "Ask an admin."],
  project_not_found: [404, "No such project.", "Check the project's ID."],
  checkpoint_not_found: [404, "No such checkpoint.", "Check the checkpoint's ID."],
  scenario_not_found: [404, "No such scenario.", "Check the scenario's ID."],
  run_not_found: [
    404,
    "No such run of the scenario.",
    "List the runs with `GET …/scenarios/{scenarioId}/runs`.",
  ],
  override_not_found: [404, "No such active override of the scenario.", "Check the override's ID."],
  series_not_found: [404, "No such series in the scenario.", "List the series with `GET …/series`."],
  comparison_not_found: [404, "No such saved comparison.", "Check the comparison's ID."],
  job_not_found: [404, "No such job.", "Check the job's ID."],
  api_key_not_found: [404, "No such API key.", "Check the key's ID."],
  dataset_not_found: [404, "The project has no dataset.", "Upload one with `PUT …/dataset`."],
  model_not_found: [404, "No such model.", "Check the model's ID."],
  version_not_found: [
    404,
    "No such version of the dataset.",
    "Choose one of `GET …/dataset/versions`. The service keeps the last ten.",
  ],
  upload_not_found: [404, "No such upload.", "Upload the file again; unused uploads are kept 24 hours."],
  webhook_not_found: [404, "No such webhook.", "Check the webhook's ID."],
  delivery_not_found: [
    404,
    "No such delivery.",
    "List the deliveries with `GET …/webhooks/{webhookId}/deliveries`.",
  ],
  member_not_found: [404, "No such member.", "Check the member's ID."],
  not_found: [404, "This path does not exist.", "Check the path against the API reference."],
  method_not_allowed: [
    405,
    "This path does not accept this method.",
    "Use one of the methods in the `Allow` header.",
  ],
  idempotency_in_progress: [
    409,
    "The first request with this idempotency key is still running.",
    "Wait, then send the request again.",
  ],
  scenario_not_ready: [
    409,
    "The scenario's predictions do not exist yet.",
    "Wait until the scenario's job is Completed.",
  ],
  precondition_failed: [
    412,
    "The resource has changed since you read it.",
    "Read the resource again and repeat the change.",
  ],
  payload_too_large: [
    413,
    "The body exceeds the size limit.",
    "Send a smaller body, or upload a large CSV with `POST …/uploads`.",
  ],
  unsupported_media_type: [
    415,
    "The content type is not supported.",
    "Send one of the content types named in the message.",
  ],
  idempotency_mismatch: [
    422,
    "The idempotency key was used with a different request.",
    "Use a new key for a new request.",
  ],
  rate_limited: [429, "Too many requests.", "Retry after the delay in the `Retry-After` header."],
  internal_error: [
    500,
    "An internal error occurred.",
    "Retry the request. If the error persists, report the request ID.",
  ],
  service_unavailable: [
    503,
    "The service is temporarily unavailable.",
    "Retry after the delay in the `Retry-After` header.",
  ],
} as const satisfies Record<string, readonly [status: number, meaning: string, remedy: string]>;

export type ErrorCode = keyof typeof errorCodes;
