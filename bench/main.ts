import { parseArgs } from "node:util";
import { batch } from "./batch.ts";
import { compare } from "./compare.ts";
import { files } from "./files.ts";
import { forecasts } from "./forecasts.ts";
import { forecastsWithInputs } from "./forecasts-with-inputs.ts";
import { type Benchmark, ofService, type Settings } from "./harness.ts";
import { http } from "./http.ts";
import { models } from "./models.ts";
import { panels } from "./panels.ts";
import { start } from "./start.ts";
import { describeMachine, printReport, type Report } from "./table.ts";
import { whatIf } from "./what-if.ts";

const benchmarks: Record<string, Benchmark> = {
  files,
  models,
  forecasts,
  "forecasts-with-inputs": forecastsWithInputs,
  panels,
  http: ofService(http),
  batch: ofService(batch),
  compare: ofService(compare),
  "what-if": ofService(whatIf),
  start: ofService(start),
};

const USAGE = `npm run bench [-- [name …] [--json] [--quick] [--rounds N] [--seed N]]
names: ${Object.keys(benchmarks).join(", ")}; default: all
environment: SAMPLE_DATA_DIR (folder of real data), PANELS_DIR (folder of public panels), BENCH_PYTHON (Python with scikit-learn and XGBoost), BENCH_ROWS (row counts for batch)`;

const MIN_ROUNDS = 5;

async function main(): Promise<void> {
  const { names, json, ...settings } = readArguments();
  const report: Report = {
    machine: describeMachine(),
    quick: settings.quick,
    seed: settings.seed,
    results: [],
  };
  for (const name of names) {
    settings.log(`${name} …`);
    for await (const result of benchmarks[name]!(settings)) {
      report.results.push({ benchmark: name, ...result });
      settings.log(`  ${result.what}${"skipped" in result ? ": skipped" : ""}`);
    }
  }
  console.log(json ? JSON.stringify(report, null, 2) : printReport(report));
}

function readArguments(): Settings & { names: string[]; json: boolean } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        quick: { type: "boolean", default: false },
        rounds: { type: "string", default: "5" },
        seed: { type: "string", default: "1" },
      },
    });
    const unknown = positionals.find((name) => !Object.hasOwn(benchmarks, name));
    if (unknown !== undefined) throw new Error(`Benchmark "${unknown}" does not exist.`);
    return {
      names: positionals.length > 0 ? positionals : Object.keys(benchmarks),
      json: values.json,
      quick: values.quick,
      rounds: wholeNumber("--rounds", values.rounds, MIN_ROUNDS),
      seed: wholeNumber("--seed", values.seed, 0),
      log: (text) => console.error(text),
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

function wholeNumber(option: string, text: string, min: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min) return value;
  throw new Error(`${option} must be a whole number of at least ${min}.`);
}

await main();
