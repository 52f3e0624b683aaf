import type { OpenFile } from "./task.ts";

/** The tasks of run-task.test.ts. */
export const testTasks = {
  /** Gives a file up after so many chunks, as often as it is told, and then reads all of it. */
  async again({ chunks, times }: { chunks: number; times: number }, open: OpenFile): Promise<string> {
    for (let time = 0; time < times; time++) {
      let read = 0;
      for await (const _ of await open()) if (++read > chunks) break;
    }
    let text = "";
    for await (const chunk of await open()) text += Buffer.from(chunk).toString();
    return text;
  },
};
