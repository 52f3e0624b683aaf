import { importModel as importFile } from "#lib/domain/models/import-model";
import type { JobHandler } from "../job-handler.ts";

export const importModel: JobHandler<"ImportModel"> = { run: importFile };
