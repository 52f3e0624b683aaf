// `npm run build`: builds the web pages; with `--if-needed`, only if the sources have changed since the last build.

import { reportAndExit } from "../server/report-and-exit.ts";
import { build, buildIfNeeded } from "./build/build.ts";

try {
  await (process.argv.includes("--if-needed") ? buildIfNeeded() : build());
} catch (error) {
  reportAndExit(error);
}
