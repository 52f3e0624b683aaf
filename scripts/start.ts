// Starts the whole service and stays in the foreground (`--dev`: with Next.js' development server).

import { reportAndExit } from "../server/report-and-exit.ts";
import { onStop } from "../server/stop-signals.ts";
import { startService } from "../server/supervisor/start-service.ts";
import { isBuildStale } from "./build/build.ts";

// A title is cut to the length of the command line, so the distinctive part comes first.
process.title = "supervisor of forkcast";
const stopping = new AbortController();
const log = (name: string, line: string) => console.log(`[${name}] ${line}`);

const dev = process.argv.includes("--dev");
const starting = startService({ dev, log, signal: stopping.signal });

onStop(async () => {
  log("service", "stopping");
  stopping.abort();
  const service = await starting.catch(() => null); // A failed start has already stopped its parts.
  await service?.stop();
  log("service", "stopped");
  process.exit(0);
});

try {
  const { message } = await starting;
  if (!stopping.signal.aborted) console.log(message);
  if (!dev && isBuildStale())
    log("service", "the web pages were built from older sources: run npm run up to rebuild them");
} catch (error) {
  if (!stopping.signal.aborted) reportAndExit(error);
}
