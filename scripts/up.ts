// The second half of `npm run up`, once packages are installed.

import { reportAndExit } from "../server/report-and-exit.ts";
import { buildIfNeeded } from "./build/build.ts";

try {
  await buildIfNeeded();
} catch (error) {
  reportAndExit(error);
}
await import("./start.ts");
