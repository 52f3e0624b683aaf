// `npm test`, on whatever Node.js runs npm: installs packages where needed, then runs every check.
import { installIfNeeded } from "./install.mjs";
import { runScript } from "./run-script.mjs";

installIfNeeded();
await runScript("test.ts", process.argv.slice(2));
