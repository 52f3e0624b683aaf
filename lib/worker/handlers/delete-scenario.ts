import { removeScenario } from "#lib/scenarios/remove-scenario";
import type { JobHandler } from "../job-handler.ts";

export const deleteScenario: JobHandler<"DeleteScenario"> = { run: removeScenario };
