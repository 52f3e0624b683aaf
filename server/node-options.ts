/** Options of Node.js for every process that runs a script of the service. */
export const nodeOptions = ["--import", new URL("../scripts/preload.mjs", import.meta.url).href];

/**
 * Options of a worker. New objects take at most 6 MB per thread instead of 50. Large tables lie outside the heap and
 * are freed sooner.
 */
export const workerOptions = [...nodeOptions, "--max-semi-space-size=2"];
