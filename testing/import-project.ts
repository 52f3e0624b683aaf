import { POST as importRoute } from "../app/api/v1/projects/[projectId]/models/import/route.ts";
import { callRoute, createKey, createProject } from "./api.ts";

/** Creates a project into which `start` imports models. */
export async function newImportProject() {
  const { id: projectId } = await createProject();
  const as = await createKey({ projectId });
  const start = (body: unknown) =>
    callRoute<{ jobId: string; status: string }>(importRoute, { params: { projectId }, as, body });
  return { projectId, as, start };
}
