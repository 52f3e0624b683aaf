// `npm run build`: builds the web pages.

import { reportAndExit } from "../server/report-and-exit.ts";
import { build } from "./build/build.ts";

try {
  await build();
} catch (error) {
  reportAndExit(error);
}
