import { environment, type StorageSettings } from "#lib/platform/config/environment";
import { perProcess } from "#lib/platform/process/per-process";
import type { ArtifactStore } from "./artifact-store.ts";
import { LocalStore } from "./local-store.ts";
import { S3Store } from "./s3-store.ts";

/** Returns this process's artifact store at `STORAGE_URL`, by default `<DATA_DIR>/artifacts`. */
export const store = perProcess("storeOfProcess", () => openStore(environment().storage));

export function openStore(settings: StorageSettings): ArtifactStore {
  return settings.kind === "file" ? new LocalStore(settings.folder) : new S3Store(settings);
}
