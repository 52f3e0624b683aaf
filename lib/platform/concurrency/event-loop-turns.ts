import { setImmediate as nextTick } from "node:timers/promises";

/**
 * Returns a function that waits for an iteration of the event loop of its own. Callers that `setImmediate` delays at the same time
 * would all continue in one iteration, and block other requests together: 20 callers of 10 ms each, for example, for 200 ms.
 */
export function eventLoopTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => nextTick());
    return last;
  };
}
