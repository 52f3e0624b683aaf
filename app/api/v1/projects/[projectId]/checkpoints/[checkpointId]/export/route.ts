import { defineRoute } from "#lib/api/define-route";
import { CheckpointPath } from "#lib/api/path-params";
import { streamDownload } from "#lib/api/response/download";
import { exportCheckpoint } from "#lib/domain/checkpoints/export-checkpoint";

export const GET = defineRoute({
  operationId: "exportCheckpoint",
  tag: "Checkpoints",
  summary: "Export a checkpoint",
  description:
    "Downloads a tar archive of the model and everything that belongs to it. Its `MANIFEST.json` holds the SHA-256 of each file. Import it with `POST …/checkpoints/import`, into this project or another one.",
  auth: "project",
  params: CheckpointPath,
  rawResponses: { "application/x-tar": { description: "Tar archive of the checkpoint." } },
  async run(ctx, { params }) {
    const { folderName, bytes, content } = await exportCheckpoint(ctx, params);
    return streamDownload(content, { name: `${folderName}.tar`, mediaType: "application/x-tar", bytes });
  },
});
