// `npm run up`: installs and builds if needed, then starts the whole service. Runs on any Node.js that runs npm.
import { installIfNeeded } from "./install.mjs";
import { runScript } from "./run-script.mjs";

installIfNeeded();
await runScript("up.ts", process.argv.slice(2));
