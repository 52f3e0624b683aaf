// `npm test`: installs packages if needed, then runs every check. Runs on any Node.js that runs npm.
import { installIfNeeded } from "./install.mjs";
import { runScript } from "./run-script.mjs";

installIfNeeded();
await runScript("test.ts", process.argv.slice(2));
