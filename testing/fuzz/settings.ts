import type { Tally } from "./tally.ts";

const { FUZZ_SEED, FUZZ_REQUESTS, FUZZ_PATH, FUZZ_SHRINK } = process.env;
const long = FUZZ_REQUESTS !== undefined;
/** Average number of requests in a sequence. */
const requestsPerSequence = 120;
const requests = Number(FUZZ_REQUESTS ?? 1_000);
const startedAt = performance.now();

const seconds = () => Math.round((performance.now() - startedAt) / 1_000);

/** Options of `npm run fuzz`. Defaults: a short run with the same requests each time. */
export const settings = {
  seed: Number(FUZZ_SEED ?? 1),
  /** fast-check's path to a failure of an earlier run; null for a whole run. */
  path: FUZZ_PATH ?? null,
  sequences: FUZZ_PATH ? 1 : Math.ceil(requests / requestsPerSequence),
  /** Time limit for the search for a shorter failing sequence. */
  shrinkSeconds: Number(FUZZ_SHRINK ?? 0),
  timeoutMs: 300_000 + requests * 500,
  report(tally: Tally): void {
    if (long) console.log(`${tally.requests} requests, ${seconds()} s`);
  },
  finish(tally: Tally): void {
    if (long) console.log(`\n${tally.table()}\n\n${tally.requests} requests in ${seconds()} s`);
  },
};
