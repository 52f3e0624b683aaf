import { z } from "zod";
import { isWithinYears } from "#lib/engine/csv/timestamps";
import { parseFrequency } from "#lib/engine/features/frequency";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { zoneOffset } from "#lib/engine/features/time-zone";
import type { LinearModel } from "#lib/engine/learners/linear-design";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { featureSources } from "./feature-sources.ts";
import type { Learner } from "./learner.ts";

/** Strict schemas of a model's files, for files that another service may have written. */

const returnsNormally = (run: () => unknown): boolean => {
  try {
    run();
    return true;
  } catch {
    return false;
  }
};

const Count = z.number().int().min(0).max(2_147_483_647);
const Time = z.number().refine(isWithinYears, "Use a time in the years 1000 to 9999, in epoch milliseconds");
const Frequency = z
  .string()
  .refine((text) => returnsNormally(() => parseFrequency(text)), "Use a duration such as PT1H or P1D");
const TimeZone = z
  .string()
  .refine(
    (text) => returnsNormally(() => zoneOffset(text)(0)),
    "Use an IANA time zone such as Europe/Berlin",
  );
/** Steps: more than any input has rows. */
const Horizon = z.number().int().min(1).max(10_000_000);

const State = z.looseObject({
  version: z.literal([1, 2]),
  timezone: TimeZone,
  frequency: Frequency.nullable(),
  grid: z
    .strictObject({
      frequency: Frequency,
      timezone: TimeZone,
      start: Time,
      monthDay: z.number().int().min(1).max(31).optional(),
    })
    .nullable(),
  horizon: Horizon.nullable(),
  lastTimestamp: Time.nullable(),
  learnedUntil: Time.nullish(),
  trainingRows: Count,
  validationRows: Count,
  floor: z.number().nullish(),
  naive: z
    .union([
      z.strictObject({ mean: z.number() }),
      z.strictObject({
        seasonal: z.strictObject({ season: z.number().int().min(1).max(1_000_000), horizon: Horizon }),
      }),
    ])
    .optional(),
  files: z.array(z.string()).max(20),
});

const Step = z.number().int().min(1);
const Calibration = z
  .looseObject({
    level: z.number().gt(0).lt(1),
    buckets: z
      .array(
        z.strictObject({
          fromStep: Step,
          toStep: Step,
          levels: z.array(z.number()).max(100),
          halfWidths: z.array(z.number().min(0)).min(1).max(101),
        }),
      )
      .min(1)
      .max(100),
    growth: z
      .strictObject({ step: z.number().min(0).max(1), level: z.number().min(0).max(1), at: z.number().gt(0) })
      .optional(),
    coverage: z.number().min(0).max(1).nullable(),
    calibrationRows: Count,
    floor: z.number().nullable(),
    shape: z
      .strictObject({
        floor: z.number().nullable(),
        ratios: z.array(z.strictObject({ level: z.number().gt(0).lt(1), ratio: z.number().min(0) })).max(20),
        sumPower: z.number().min(0).max(0.5).nullable(),
      })
      .optional(),
  })
  .nullable();

const schemas = { "state.json": State, "calibration.json": Calibration };

/**
 * Checks the fields of a model's files that predictions and scenarios compute with.
 *
 * @throws {ModelInvalid} with the file, the field and the expected value
 */
export function checkFiles(files: ReadonlyMap<string, Uint8Array>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    const parsed = schema.safeParse(parseJson(name, files.get(name)));
    if (parsed.success) continue;
    const { path, message } = parsed.error.issues[0]!;
    throw new ModelInvalid(`${name} is wrong at ${path.join(".") || "its root"}: ${message}.`);
  }
}

function parseJson(name: string, bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ModelInvalid(`${name} is not valid JSON.`, { cause });
  }
}

/**
 * Checks that a learner has one coefficient for each model input of its pipeline.
 *
 * @throws {ModelInvalid}
 */
export function checkLearner(learner: Learner, pipeline: FeaturePipeline): void {
  const count = featureSources(pipeline).length;
  if (learner.kind === "trees") {
    if (learner.featureCount !== count) throw mismatch("featureCount", learner.featureCount, count);
    return;
  }
  const linear: LinearModel | null = learner.kind === "linear" ? learner : learner.inputs;
  for (const field of ["coefficients", "means"] as const) {
    const values = linear?.[field];
    if (values && values.length !== count) throw mismatch(field, values.length, count);
    if (values?.some((value) => !Number.isFinite(value)))
      throw new ModelInvalid(`learner.json is wrong at ${field}: a value is not a finite number.`);
  }
  if (learner.kind === "series" && learner.methods.length === 0)
    throw new ModelInvalid("learner.json is wrong at methods: there are none.");
}

function mismatch(field: string, found: number, expected: number): ModelInvalid {
  return new ModelInvalid(
    `learner.json is wrong at ${field}: found ${found}, expected ${expected}, the number of model inputs in features.json.`,
  );
}
