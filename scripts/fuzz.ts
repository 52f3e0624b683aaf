// `npm run fuzz`: sends a given number of requests generated from the OpenAPI document to a service with its own
// database.
import { parseArgs } from "node:util";
import { runPart } from "./check/part.ts";

const USAGE = `npm run fuzz [-- [--requests N] [--seed N] [--path P] [--shrink SECONDS]]
--seed, --path: as a run that failed has printed them, to do the same again
--shrink: how long to look for a shorter sequence of requests that fails too`;

const options = readArguments();
const { passed } = await runPart(
  "fuzz",
  [
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "testing/fuzz/fuzz.db.test.ts",
      "--project=db",
      "--disableConsoleIntercept",
    ],
  ],
  { environment: () => options },
);
process.exitCode = passed ? 0 : 1;

function readArguments(): Record<string, string> {
  try {
    const { values } = parseArgs({
      options: {
        requests: { type: "string", default: "20000" },
        seed: { type: "string", default: String(Date.now() % 2 ** 31) },
        shrink: { type: "string", default: "0" },
        path: { type: "string" },
      },
    });
    const { requests, seed, shrink, path } = values;
    for (const [name, value] of Object.entries({ requests, seed, shrink })) {
      if (!/^\d{1,10}$/.test(value)) throw new Error(`--${name} must be a whole number.`);
    }
    if (path !== undefined && !/^\d+(?::\d+)*$/.test(path))
      throw new Error("--path must be as it was printed.");
    const given = { FUZZ_REQUESTS: requests, FUZZ_SEED: seed, FUZZ_SHRINK: shrink };
    return path === undefined ? given : { ...given, FUZZ_PATH: path };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}
