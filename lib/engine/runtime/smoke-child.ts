import { once } from "node:events";
import { readFileSync } from "node:fs";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { openZipMap, readZipMaps } from "#lib/engine/onnx/open-zip-map";
import { inspectOnnx } from "#lib/engine/onnx/read-model";
import { readXgboostJson, xgboostToOnnx } from "#lib/engine/onnx/xgboost-json";
import { answerParent } from "./child-run.ts";
import { askForClass } from "./output-options.ts";
import { rejectionOf, runtimeError } from "./runtime-reason.ts";
import type { SmokeRequest, SmokeResult } from "./smoke-run.ts";
import { tryModel } from "./try-model.ts";

/**
 * Child process of `smokeRun`. The model arrives on standard input, the request as a message; the result goes to the
 * parent as a message.
 */
async function main(): Promise<void> {
  let result: SmokeResult;
  try {
    const [request] = (await once(process, "message")) as [SmokeRequest];
    result = await smoke(readFileSync(0), request);
  } catch (cause) {
    result = { ok: false, ...rejectionOf(runtimeError("cannot be run", cause)) };
  }
  answerParent(result);
}

async function smoke(
  file: Uint8Array,
  { format, output, inputs, cost, rounds }: SmokeRequest,
): Promise<SmokeResult> {
  const model = format === "onnx" ? null : readXgboostJson(file, rounds);
  const converted = model && xgboostToOnnx(model);
  const inspected = inspectOnnx(converted ?? file);
  const zipMaps = readZipMaps(converted ?? file);
  const opened = output === null ? null : openZipMap(converted ?? file, output);
  const { issues } = opened ? inspectOnnx(opened) : inspected;
  if (issues.length > 0 && issues.every(({ code }) => code === "no_numeric_output") && zipMaps.length > 0)
    throw askForClass(zipMaps);
  if (issues.length > 0) throw new ModelInvalid(issues.map(({ message }) => message).join("\n"));
  const onnx = opened ?? converted;
  const featureNames = model?.featureNames ?? [];
  const used = model?.rounds ?? null;
  return {
    ok: true,
    onnx,
    featureNames,
    zipMaps,
    rounds: used,
    ...(await tryModel(onnx ?? file, inputs, cost)),
  };
}

await main();
