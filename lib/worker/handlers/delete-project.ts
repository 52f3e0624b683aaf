import { removeProject } from "#lib/domain/projects/remove-project";
import type { JobHandler } from "../job-handler.ts";

export const deleteProject: JobHandler<"DeleteProject"> = { run: removeProject };
