import type { InferenceSession, Tensor } from "onnxruntime-node";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { emptyData } from "./feeds.ts";
import { completeBindings, type InputMapping, openWidth } from "./input-bindings.ts";
import { BATCH_ROWS, createSession } from "./session.ts";
import type { SmokeOutput, Tried } from "./smoke-run.ts";
import { describe, rowSizes, rowWidth, type TensorInfo } from "./tensor-info.ts";

/**
 * Rows tried if the model leaves their number open. More than one, so that a hidden fixed batch shows. `BATCH_ROWS`,
 * the most per call, is tried too, because a model's cost may grow with the rows.
 */
const SAMPLE_ROWS = 2;
const VALUES_SHOWN = 10;

/**
 * Loads a model and runs it on zeros. Call it only in a process that may end.
 *
 * @param mappings determine the widths that the model leaves open
 * @throws the runtime's errors, and ModelInvalid if a width stays open
 */
export async function tryModel(bytes: Uint8Array, mappings: readonly InputMapping[] = []): Promise<Tried> {
  const session = await createSession(bytes, 1);
  const inputs = session.inputMetadata.map(describe);
  const outputs = session.outputMetadata.map(describe);
  const wanted = outputs.filter(({ elementType }) => elementType !== null).map(({ name }) => name);
  if (wanted.length === 0) throw new ModelInvalid("None of the model's outputs is a tensor of numbers.");
  const widths = inputs.map((input) => rowWidth(input) ?? mappedWidth(inputs, input, mappings));
  const feeds = (rows: number) =>
    Object.fromEntries(inputs.map((input, at) => [input.name, zeros(input, rows, widths[at]!)]));
  const results = await session.run(feeds(SAMPLE_ROWS), wanted);
  if (inputs.every(({ batch }) => batch === null)) await session.run(feeds(BATCH_ROWS), wanted);
  return { inputs, outputs, sample: wanted.map((name) => shown(name, results)) };
}

/** Returns the columns that the mappings give an input of open width. */
function mappedWidth(inputs: TensorInfo[], input: TensorInfo, mappings: readonly InputMapping[]): number {
  const places = mappings.length === 0 ? [] : completeBindings(inputs, mappings);
  const own = places.filter(({ binding }) => binding.input === input.name);
  if (own.length === 0) throw openWidth(input);
  return Math.max(...own.map(({ binding: { index = 0 } }) => index + 1));
}

/** Creates a tensor of zeros or empty strings. */
function zeros(input: TensorInfo, rows: number, width: number): Tensor {
  const [batch, ...others] = input.shape;
  const dims = batch === undefined ? [] : [typeof batch === "number" ? batch : rows];
  if (others.length > 0) dims.push(...rowSizes(input, width));
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
