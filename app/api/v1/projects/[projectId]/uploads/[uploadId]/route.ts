import { defineRoute } from "#lib/api/define-route";
import { UploadPath } from "#lib/api/path-params";
import { ListedUpload } from "#lib/contract/uploads";
import { deleteUpload } from "#lib/domain/datasets/delete-upload";

export const DELETE = defineRoute({
  operationId: "deleteUpload",
  tag: "Data",
  summary: "Delete an upload",
  description:
    "Frees the space of an upload and returns it. Resources made from it remain. Rejected while an unfinished job reads the upload.",
  auth: "project",
  params: UploadPath,
  response: ListedUpload,
  ifMatch: true,
  records: ["upload.deleted"],
  run: (ctx, { params }) => deleteUpload(ctx, params),
});
