import type { Database } from "#db/client";
import type { Warning } from "#lib/contract/warnings";
import type { FitInput } from "#lib/engine/training/fit-input";
import type { InputFormat } from "./input-format.ts";

export type TrainingData = {
  input: Omit<FitInput, "request"> & { timezone: string; upstream: NonNullable<FitInput["upstream"]> };
  format: InputFormat;
  /** Upstream project → checkpoint whose predictions are training inputs. */
  upstreamCheckpoints: Record<string, string>;
  warnings: Warning[];
  datasetVersionId: string;
  /** The dataset's warnings, and the columns that the user confirmed. */
  suspicion: { warnings: Warning[]; confirmed: string[] };
};

export type PreparationOptions = {
  signal?: AbortSignal;
  onProgress?: (fraction: number, message: string) => void;
};

/** Prepares a project's training data. Prepares upstream projects first. */
export type PrepareTraining = (
  db: Database,
  projectId: string,
  options: PreparationOptions,
) => Promise<TrainingData>;
