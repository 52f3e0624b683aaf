import { serveTask } from "./serve-task.ts";
import { testTasks } from "./test-tasks.ts";

// The thread of run-task.test.ts.
await serveTask(testTasks);
