import { environment } from "#lib/config/environment";
import type { ArtifactStore } from "./artifact-store.ts";
import { LocalStore } from "./local-store.ts";

const shared = globalThis as typeof globalThis & { storeOfProcess?: ArtifactStore };

/** This process's artifact store, where `STORAGE_URL` says: `<DATA_DIR>/artifacts` unless told otherwise. */
export function store(): ArtifactStore {
  shared.storeOfProcess ??= new LocalStore(environment().storage.folder);
  return shared.storeOfProcess;
}
