// `npm start`, on whatever Node.js runs npm.
import { runScript } from "./run-script.mjs";

await runScript("start.ts", process.argv.slice(2));
