import type { Tally } from "./tally.ts";

const { FUZZ_SEED, FUZZ_REQUESTS, FUZZ_PATH, FUZZ_SHRINK } = process.env;
const long = FUZZ_REQUESTS !== undefined;
/** What a sequence has on average. */
const requestsOfSequence = 120;
const requests = Number(FUZZ_REQUESTS ?? 1_000);
const startedAt = performance.now();

const seconds = () => Math.round((performance.now() - startedAt) / 1_000);

/** A short run with the same requests each time, or what `npm run fuzz` was told. */
export const settings = {
  seed: Number(FUZZ_SEED ?? 1),
  /** To a failure of an earlier run; null for a whole run. */
  path: FUZZ_PATH ?? null,
  sequences: FUZZ_PATH ? 1 : Math.ceil(requests / requestsOfSequence),
  /** How long to look for a shorter sequence that fails too. */
  shrinkSeconds: Number(FUZZ_SHRINK ?? 0),
  timeoutMs: 300_000 + requests * 500,
  report(tally: Tally): void {
    if (long) console.log(`${tally.requests} requests, ${seconds()} s`);
  },
  finish(tally: Tally): void {
    if (long) console.log(`\n${tally.table()}\n\n${tally.requests} requests in ${seconds()} s`);
  },
};
