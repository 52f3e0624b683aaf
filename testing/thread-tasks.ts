import { setTimeout as sleep } from "node:timers/promises";
import { mainThread } from "#lib/platform/threads/main-thread-calls";
import type { OpenFile } from "#lib/platform/threads/messages";

let runs = 0;

/** Tasks for the tests of worker threads. */
export const tasks = {
  /** Stops reading after some chunks, several times, and then reads the whole file. */
  async again({ chunks, times }: { chunks: number; times: number }, open: OpenFile): Promise<string> {
    for (let time = 0; time < times; time++) {
      let read = 0;
      for await (const _ of await open()) if (++read > chunks) break;
    }
    let text = "";
    for await (const chunk of await open()) text += Buffer.from(chunk).toString();
    return text;
  },
  /** Returns the word with the number of runs in this thread. */
  async echo(word: string): Promise<string> {
    return `${word} ${++runs}`;
  },
  /** Calls a function of the main thread. */
  async ask({ name, request }: { name: string; request: unknown }): Promise<unknown> {
    return mainThread()!.call(name, request);
  },
  async fail(): Promise<never> {
    runs++;
    throw new RangeError("Out of range.", { cause: new Error("The cause.") });
  },
  async exit(): Promise<never> {
    process.exit(3);
  },
  async fill(): Promise<never> {
    const held: unknown[] = [];
    for (;;) held.push({ at: held.length });
  },
  async hang(): Promise<void> {
    await sleep(2 ** 30);
  },
};
