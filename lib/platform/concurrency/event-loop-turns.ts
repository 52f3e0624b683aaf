import { setImmediate as nextTick } from "node:timers/promises";

/**
 * Returns a function that lets one caller continue per iteration of the event loop. For example, 20 callers have 10 ms of work each.
 * After `setImmediate` alone, all of them would continue in the same iteration, and block other requests for 200 ms.
 */
export function eventLoopTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => nextTick());
    return last;
  };
}
