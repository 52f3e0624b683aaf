import { removeProject } from "#lib/projects/remove-project";
import type { JobHandler } from "../job-handler.ts";

export const deleteProject: JobHandler<"DeleteProject"> = { run: removeProject };
