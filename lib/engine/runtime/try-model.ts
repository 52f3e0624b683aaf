import type { InferenceSession, Tensor } from "onnxruntime-node";
import { counted } from "#lib/contract/counted";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { BATCH_ROWS, batchRows } from "./batch-rows.ts";
import { type CostLimits, costLimits } from "./cost-limits.ts";
import { emptyData } from "./feeds.ts";
import { completeBindings, type InputMapping, openWidth } from "./input-bindings.ts";
import { createSession } from "./session.ts";
import type { SmokeOutput, Tried } from "./smoke-run.ts";
import { describe, rowSizes, rowWidth, type TensorInfo } from "./tensor-info.ts";

/** Rows tried if the model leaves their number open. More than one, so that a hidden fixed batch shows. */
const SAMPLE_ROWS = 2;
/** Processor time over which fast calls are measured. */
const MEASURED_MS = 20;
const VALUES_SHOWN = 10;

/**
 * Loads a model, runs it on zeros, and measures its cost. Call it only in a process that may end.
 *
 * @param mappings determine the widths that the model leaves open
 * @throws the runtime's errors, and ModelInvalid if a width stays open, or if the model is too slow
 */
export async function tryModel(
  bytes: Uint8Array,
  mappings: readonly InputMapping[] = [],
  limits: CostLimits = costLimits,
): Promise<Tried> {
  const session = await createSession(bytes, 1);
  const inputs = session.inputMetadata.map(describe);
  const outputs = session.outputMetadata.map(describe);
  const numericOutputs = outputs.filter(({ elementType }) => elementType !== null).map(({ name }) => name);
  if (numericOutputs.length === 0)
    throw new ModelInvalid("None of the model's outputs is a tensor of numbers.");
  const widths = inputs.map((input) => rowWidth(input) ?? mappedWidth(inputs, input, mappings));
  const feeds = (rows: number) =>
    Object.fromEntries(inputs.map((input, at) => [input.name, zeros(input, rows, widths[at]!)]));
  let results: InferenceSession.ReturnType = {};
  const cost = (rows: number) =>
    measureMs(async () => {
      results = await session.run(feeds(rows), numericOutputs);
    });
  const fixed = inputs.find(({ batch }) => batch !== null)?.batch ?? null;
  const rows = fixed ?? batchRows(widths.reduce((sum, width) => sum + width, 0));
  const rowMs = await cost(fixed ?? SAMPLE_ROWS);
  if (rowMs > limits.oneRow) throw tooSlow("one row", rowMs, limits.oneRow);
  const sample = numericOutputs.map((name) => shown(name, results));
  // Fewer rows than `BATCH_ROWS` in a run need several runs.
  const batchMs = Math.ceil(BATCH_ROWS / rows) * (fixed === null ? await cost(rows) : rowMs);
  if (batchMs > limits.fullBatch) throw tooSlow(counted(BATCH_ROWS, "row"), batchMs, limits.fullBatch);
  return { inputs, outputs, sample };
}

/** Returns the processor time of the fastest run, which other programs on the machine do not change much. */
async function measureMs(run: () => Promise<unknown>): Promise<number> {
  let [leastMs, sumMs] = [Number.POSITIVE_INFINITY, 0];
  while (sumMs < MEASURED_MS) {
    const started = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(started);
    // The clock of the process may not move in a run.
    const ms = Math.max(0.01, (user + system) / 1_000);
    leastMs = Math.min(leastMs, ms);
    sumMs += ms;
  }
  return leastMs;
}

function tooSlow(what: string, ms: number, most: number): ModelInvalid {
  const seconds = (time: number) => `${Number((time / 1_000).toPrecision(2))} seconds`;
  return new ModelInvalid(
    `The model needs ${seconds(ms)} of processor time for ${what}. The limit is ${seconds(most)}. Import a smaller model, or one without a fixed batch.`,
  );
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
