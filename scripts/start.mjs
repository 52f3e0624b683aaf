// `npm start`. Runs on any Node.js that runs npm.
import { requireInstalled } from "./install.mjs";
import { runScript } from "./run-script.mjs";

requireInstalled();
await runScript("start.ts", process.argv.slice(2));
