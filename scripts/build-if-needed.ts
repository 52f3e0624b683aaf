// Builds the web pages unless they were built from the present sources.
import { buildIfNeeded } from "./build/build.ts";
import { reportAndExit } from "./report-and-exit.ts";

try {
  await buildIfNeeded();
} catch (error) {
  reportAndExit(error);
}
