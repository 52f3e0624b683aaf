/** Options of Node.js for every process that runs a script of the service. */
export const nodeOptions = ["--import", new URL("../scripts/preload.mjs", import.meta.url).href];

/**
 * Those of a worker: new objects take 6 MB at most in each of its threads in place of 50. Its large tables lie outside of
 * that, and are freed sooner.
 */
export const workerOptions = [...nodeOptions, "--max-semi-space-size=2"];
