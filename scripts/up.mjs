// `npm run up`: installs and builds where needed, then starts the whole service. Runs on whatever Node.js runs npm.
import { installIfNeeded } from "./install.mjs";
import { runScript } from "./run-script.mjs";

installIfNeeded();
await runScript("up.ts", process.argv.slice(2));
