import { readFileSync } from "node:fs";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { ModelInvalid } from "../onnx/model-invalid.ts";
import { emptyData } from "./feeds.ts";
import { createSession, runtimeReason } from "./session.ts";
import type { SmokeOutput, SmokeResult } from "./smoke-run.ts";
import { describe, type TensorInfo } from "./tensor-info.ts";

/** Rows tried where the model leaves their number open: more than one, so that a hidden fixed batch shows. */
const SAMPLE_ROWS = 2;
const VALUES_SHOWN = 10;

/** The child process of `smokeRun`: the model comes on standard input, the result goes to the parent as a message. */
async function main(): Promise<void> {
  let result: SmokeResult;
  try {
    result = await tryModel(readFileSync(0));
  } catch (cause) {
    const reason =
      cause instanceof ModelInvalid ? cause.message : `The model cannot be run: ${runtimeReason(cause)}`;
    result = { ok: false, reason };
  }
  // The parent has what it wants; what the model may have left running must not keep the process.
  process.send?.(result, () => process.exit(0));
}

async function tryModel(bytes: Uint8Array): Promise<SmokeResult> {
  const session = await createSession(bytes, 1);
  const inputs = session.inputMetadata.map(describe);
  const outputs = session.outputMetadata.map(describe);
  const wanted = outputs.filter(({ elementType }) => elementType !== null).map(({ name }) => name);
  if (wanted.length === 0) throw new ModelInvalid("None of the model's outputs is a tensor of numbers.");
  const feeds = Object.fromEntries(inputs.map((input) => [input.name, zeros(input)]));
  const results = await session.run(feeds, wanted);
  return { ok: true, inputs, outputs, sample: wanted.map((name) => shown(name, results)) };
}

/** A tensor of zeros, or of empty strings; sizes that are open are 1. */
function zeros(input: TensorInfo): Tensor {
  const dims = input.shape.map((size, at) => (typeof size === "number" ? size : at === 0 ? SAMPLE_ROWS : 1));
  const length = dims.reduce((product, size) => product * size, 1);
  return emptyData(input, length).tensor(dims);
}

function shown(name: string, results: InferenceSession.ReturnType): SmokeOutput {
  const tensor = results[name] as Tensor;
  const values = Array.from(
    tensor.data.slice(0, VALUES_SHOWN) as ArrayLike<number | bigint | string>,
    (value) => (typeof value === "bigint" ? Number(value) : value),
  );
  return { name, elementType: tensor.type, dims: [...tensor.dims], values };
}

await main();
