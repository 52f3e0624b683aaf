import { defineRoute } from "#lib/api/define-route";
import { CheckpointPath } from "#lib/api/path-params";
import { streamDownload } from "#lib/api/response/download";
import { exportCheckpoint } from "#lib/domain/checkpoints/export-checkpoint";

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
