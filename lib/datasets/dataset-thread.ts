import { serveTask } from "#lib/threads/serve-task";
import { datasetTasks } from "./dataset-tasks.ts";

await serveTask(datasetTasks);
