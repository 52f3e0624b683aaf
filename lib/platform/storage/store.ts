import { environment, type StorageSettings } from "#lib/platform/config/environment";
import type { ArtifactStore } from "./artifact-store.ts";
import { LocalStore } from "./local-store.ts";
import { S3Store } from "./s3-store.ts";

const shared = globalThis as typeof globalThis & { storeOfProcess?: ArtifactStore };

/** Returns this process's artifact store at `STORAGE_URL`, by default `<DATA_DIR>/artifacts`. */
export function store(): ArtifactStore {
  shared.storeOfProcess ??= openStore(environment().storage);
  return shared.storeOfProcess;
}

export function openStore(settings: StorageSettings): ArtifactStore {
  return settings.kind === "file" ? new LocalStore(settings.folder) : new S3Store(settings);
}
