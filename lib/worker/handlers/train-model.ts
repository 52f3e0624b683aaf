import { trainModel as train } from "#lib/domain/models/train-model";
import type { JobHandler } from "../job-handler.ts";

export const trainModel: JobHandler<"TrainModel"> = { run: train };
