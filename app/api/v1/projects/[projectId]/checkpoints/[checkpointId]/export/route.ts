import { exportCheckpoint } from "#lib/checkpoints/export-checkpoint";
import { defineRoute } from "#lib/http/define-route";
import { CheckpointPath } from "#lib/http/path-params";
import { streamDownload } from "#lib/http/response/download";

export const GET = defineRoute({
  operationId: "exportCheckpoint",
  tag: "Checkpoints",
  summary: "Download a checkpoint as one file",
  description:
    "A tar archive of the model and all that belongs to it, with a `MANIFEST.json` that holds the SHA-256 of each file. `POST …/checkpoints/import` takes it, in this project or another one.",
  auth: "project",
  params: CheckpointPath,
  rawResponses: { "application/x-tar": { description: "The checkpoint's file" } },
  async run(ctx, { params }) {
    const { folderName, bytes, content } = await exportCheckpoint(ctx, params);
    return streamDownload(content, { name: `${folderName}.tar`, mediaType: "application/x-tar", bytes });
  },
});
