/** Options of Node.js for every process that runs a script of the service. */
export const nodeOptions = ["--import", new URL("./preload.mjs", import.meta.url).href];
