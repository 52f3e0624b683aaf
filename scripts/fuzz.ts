// `npm run fuzz`: random requests to a service with its own database; with `--files`, damaged checkpoint files; with
// `--faults`, random calls of the real service while its processes and connections fail; with `--bystander`, the times of
// one tenant beside the most expensive requests of another.
import { parseArgs } from "node:util";
import { runPart } from "./check/part.ts";

const USAGE = `npm run fuzz [-- [--requests N] [--seed N] [--path P] [--shrink SECONDS]]
npm run fuzz -- --files N [--seed N]
npm run fuzz -- --faults [--seed N] [--minutes N]
npm run fuzz -- --bystander [--seed N] [--minutes N]
--seed, --path: as a run that failed has printed them, to do the same again
--shrink: how long to look for a shorter sequence of requests that fails too`;

const vitest = (file: string) => [
  ...["node_modules/vitest/vitest.mjs", "run", file, "--project=db", "--disableConsoleIntercept"],
];

const { name, commands, variables } = readArguments();
const { passed } = await runPart(name, commands, { environment: () => variables });
process.exitCode = passed ? 0 : 1;

type Run = { name: string; commands: string[][]; variables: Record<string, string> };

function readArguments(): Run {
  try {
    const { values } = parseArgs({
      options: {
        requests: { type: "string", default: "20000" },
        seed: { type: "string", default: String(Date.now() % 2 ** 31) },
        shrink: { type: "string", default: "0" },
        path: { type: "string" },
        files: { type: "string" },
        faults: { type: "boolean", default: false },
        bystander: { type: "boolean", default: false },
        minutes: { type: "string", default: "10" },
      },
    });
    const { requests, seed, shrink, path, files, faults, bystander, minutes } = values;
    for (const [name, value] of Object.entries({ requests, seed, shrink, files, minutes })) {
      if (value !== undefined && !/^\d{1,10}$/.test(value))
        throw new Error(`--${name} must be a whole number.`);
    }
    if (path !== undefined && !/^\d+(?::\d+)*$/.test(path))
      throw new Error("--path must be as it was printed.");
    if (faults) {
      const run = ["e2e/faults/main.ts", "--seed", seed, "--minutes", minutes];
      return { name: "faults", commands: [["scripts/build.ts", "--if-needed"], run], variables: {} };
    }
    if (bystander) {
      const run = ["e2e/bystander/main.ts", "--seed", seed, "--minutes", minutes];
      return { name: "bystander", commands: [["scripts/build.ts", "--if-needed"], run], variables: {} };
    }
    if (files !== undefined) {
      const command = vitest("lib/domain/checkpoints/checkpoint-file-fuzz.db.test.ts");
      return {
        name: "checkpoint files",
        commands: [command],
        variables: { FUZZ_FILES: files, FUZZ_SEED: seed },
      };
    }
    const settings = { FUZZ_REQUESTS: requests, FUZZ_SEED: seed, FUZZ_SHRINK: shrink };
    return {
      name: "fuzz",
      commands: [vitest("testing/fuzz/fuzz.db.test.ts")],
      variables: path === undefined ? settings : { ...settings, FUZZ_PATH: path },
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}
