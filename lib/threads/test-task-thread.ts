import { serveTask } from "#lib/platform/threads/thread";
import { testTasks } from "./test-tasks.ts";

// The thread of run-task.test.ts.
await serveTask(testTasks);
