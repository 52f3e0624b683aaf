// `npm run build`: builds the web pages.
import { build } from "./build/build.ts";
import { reportAndExit } from "./report-and-exit.ts";

try {
  await build();
} catch (error) {
  reportAndExit(error);
}
