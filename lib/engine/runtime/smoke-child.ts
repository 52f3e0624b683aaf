import { readFileSync } from "node:fs";
import { unboundedOperators } from "#lib/engine/onnx/bounded-operators";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { openZipMap } from "#lib/engine/onnx/open-zip-map";
import { inspectOnnx } from "#lib/engine/onnx/read-model";
import { readXgboostJson, xgboostToOnnx } from "#lib/engine/onnx/xgboost-json";
import { answerParent } from "./child-run.ts";
import { refusalOf, runtimeError } from "./runtime-reason.ts";
import type { ModelFormat, SmokeResult } from "./smoke-run.ts";
import { tryModel } from "./try-model.ts";

/** Child process of `smokeRun`. The model arrives on standard input; the result goes to the parent as a message. */
async function main(format: ModelFormat, output: string | undefined): Promise<void> {
  let result: SmokeResult;
  try {
    result = await smoke(readFileSync(0), format, output);
  } catch (cause) {
    result = { ok: false, ...refusalOf(runtimeError("cannot be run", cause)) };
  }
  answerParent(result);
}

async function smoke(file: Uint8Array, format: ModelFormat, output?: string): Promise<SmokeResult> {
  const model = format === "onnx" ? null : readXgboostJson(file);
  const converted = model && xgboostToOnnx(model);
  const { issues, operators } = inspectOnnx(converted ?? file);
  if (issues.length > 0) throw new ModelInvalid(issues.map(({ message }) => message).join("\n"));
  const onnx = (output === undefined ? null : openZipMap(converted ?? file, output)) ?? converted;
  const bytes = onnx ?? file;
  const isGuarded = unboundedOperators(operators).length > 0;
  const featureNames = model?.featureNames ?? [];
  return { ok: true, onnx, isGuarded, featureNames, ...(await tryModel(bytes)) };
}

await main(process.argv[2] as ModelFormat, process.argv[3]);
