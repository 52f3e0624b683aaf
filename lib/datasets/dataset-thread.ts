import { serveTask } from "#lib/platform/threads/thread";
import { datasetTasks } from "./dataset-tasks.ts";

await serveTask(datasetTasks);
