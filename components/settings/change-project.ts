import { ApiError, api } from "#components/api/client.ts";
import type { Project } from "#lib/contract/projects";

/** Attempts to change a project that other changes keep overtaking, such as the end of a training. */
const ATTEMPTS = 3;

/**
 * Changes the settings of a project if they are still as the user saw them. Other fields may have changed since, so this
 * reads the project again, compares only the settings, and sends its version.
 *
 * @param isAsSeen whether the settings to change have the values that the user saw
 * @param send changes this version of the project
 * @throws {ApiError} `precondition_failed` if the settings have changed
 */
export async function changeProject(
  projectId: string,
  isAsSeen: (project: Project) => boolean,
  send: (version: { headers: { "If-Match": string } }) => Promise<Project>,
): Promise<Project> {
  for (let attempt = 1; ; attempt++) {
    const { data, etag } = await api.version<Project>(`/projects/${projectId}`);
    if (!isAsSeen(data)) throw changedElsewhere();
    try {
      return await send({ headers: { "If-Match": etag } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      if (attempt === ATTEMPTS) throw changedElsewhere();
    }
  }
}

const changedElsewhere = () =>
  new ApiError(412, {
    code: "precondition_failed",
    message: "These settings have changed elsewhere.",
  });
