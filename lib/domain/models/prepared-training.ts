import type { Database } from "#db/client";
import type { Warning } from "#lib/contract/datasets";
import type { FitInput } from "#lib/engine/training/fit-model";
import type { InputFormat } from "./input-format.ts";

export type TrainingData = {
  input: Omit<FitInput, "request"> & { timezone: string; upstream: NonNullable<FitInput["upstream"]> };
  format: InputFormat;
  /** Upstream project → the checkpoint of it whose predictions are learned from. */
  upstreamCheckpoints: Record<string, string>;
  warnings: Warning[];
};

export type PreparationOptions = {
  signal?: AbortSignal;
  onProgress?: (fraction: number, message: string) => void;
};

/** Prepares the training data of a project; an upstream project's is prepared on the way to that of one that uses it. */
export type PrepareTraining = (
  db: Database,
  projectId: string,
  options: PreparationOptions,
) => Promise<TrainingData>;
