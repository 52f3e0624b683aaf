/** Groups of operations in the order in which one meets them, and what each is about. */
export const tags: Record<string, string> = {
  Projects: "A project holds data, trained models, checkpoints and scenarios; keys belong to one project.",
  Data: "The project's dataset: what models are trained on. Large files are uploaded first.",
  Models:
    "Models that the service trained on the dataset, or that were imported. The latest is the current one.",
  Predictions: "Predictions for rows that a program sends, answered at once.",
  Checkpoints:
    "A checkpoint is a snapshot of the trained model, so that a specific version can be used for good.",
  Scenarios:
    "A scenario is an input dataset linked to a checkpoint, with predictions to compare side by side.",
  Jobs: "A job is work in the background. It ends Completed, Failed or Cancelled, and then never changes.",
  Realtime: "Events over the Pusher Channels protocol: ids of what has changed, so that nobody has to poll.",
  "API keys": "Keys of a project for programs. Managed by admins.",
  Members: "The people who may sign in, and what they did.",
  "Sign-in": "The session of a member, as a program uses it. Answered in the sign-in library's own form.",
  "Health and metrics": "For those who run the service. Answered without the envelope.",
  Documentation: "This document.",
};
