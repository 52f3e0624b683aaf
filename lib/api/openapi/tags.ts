/** Groups of operations, in the order of the reference, with their descriptions. */
export const tags: Record<string, string> = {
  Projects:
    "A project holds data, trained models, checkpoints and scenarios. An API key belongs to one project.",
  Data: "The project's dataset, on which models are trained. Upload large files first.",
  Models:
    "Models that the service trained on the dataset, and imported models. The latest model is the current model.",
  Predictions: "Synchronous predictions for the rows in the request.",
  Checkpoints:
    "A checkpoint is a snapshot of a trained model, so that a specific model version can be used for predictions and scenarios.",
  Scenarios:
    "A scenario is an input dataset linked to a checkpoint. Its predictions can be compared side by side with those of other scenarios.",
  Jobs: "A job is background work. It ends `Completed`, `Failed` or `Cancelled`, and then never changes.",
  Realtime:
    "Events over the Pusher Channels protocol. They carry the IDs of changed resources, so that clients need not poll.",
  "API keys": "API keys of a project, for programs. Admins manage them.",
  Members: "Users who can sign in, and the audit log of their actions.",
  "Sign-in":
    "Sessions and passwords of members, for programs. Responses of `/api/auth` have the format of the sign-in library.",
  "Health and metrics": "Monitoring of the service. Responses do not use the envelope.",
  Documentation: "The OpenAPI document.",
};
