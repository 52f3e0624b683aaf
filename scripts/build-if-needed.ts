// Builds the web pages unless they were built from the present sources.

import { reportAndExit } from "../server/report-and-exit.ts";
import { buildIfNeeded } from "./build/build.ts";

try {
  await buildIfNeeded();
} catch (error) {
  reportAndExit(error);
}
