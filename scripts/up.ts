// The second half of `npm run up`, once packages are installed.
import { buildIfNeeded } from "./build/build.ts";
import { reportAndExit } from "./report-and-exit.ts";

try {
  await buildIfNeeded();
} catch (error) {
  reportAndExit(error);
}
await import("./start.ts");
