// npm run -s storage:copy -- --to <file: or s3: address>: copies all artifacts from STORAGE_URL.
import { environment, parseEnvironment } from "#lib/platform/config/environment";
import { StartError } from "#lib/platform/errors/start-errors";
import { copyStore } from "#lib/platform/storage/copy-store";
import { openStore, store } from "#lib/platform/storage/store";
import { reportAndExit } from "../server/report-and-exit.ts";
import { printProgress } from "./print-progress.ts";
import { requiredOption } from "./read-options.ts";

try {
  const usage = "Usage: npm run -s storage:copy -- --to <file: or s3: address>";
  const address = requiredOption("to", usage);
  const target = parseEnvironment({ ...process.env, STORAGE_URL: address }).storage;
  if (JSON.stringify(target) === JSON.stringify(environment().storage)) {
    throw new StartError(`The artifacts are at ${address} already.`);
  }
  const progress = printProgress();
  const { copied, present } = await copyStore(store(), openStore(target), (done, total) =>
    progress(`${done} of ${total} folders`),
  );
  progress.end();
  console.log(
    `Copied ${copied} folders; ${present} were there. Start the service with STORAGE_URL=${address}.`,
  );
} catch (error) {
  reportAndExit(error);
}
