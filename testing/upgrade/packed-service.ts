import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { ServiceData } from "./create-service-data.ts";
import type { RecordedCall } from "./recorded-calls.ts";

/** Data of a service, and answers of the version that wrote it. */
type KeptService = { data: ServiceData; calls: RecordedCall[] };

/** Content of each file of the backup in base64, by its path. */
type Files = Record<string, string>;

/** Packs a service and its backup into one compressed JSON file. */
export function packService(service: KeptService, folder: string): Buffer {
  const files: Files = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    files[path.relative(folder, file)] = readFileSync(file, "base64");
  }
  return gzipSync(JSON.stringify({ ...service, files }), { level: 9 });
}

/** Returns a packed service, and writes its backup to a folder. */
export function unpackService(packed: Uint8Array, folder: string): KeptService {
  const { files, ...service }: KeptService & { files: Files } = JSON.parse(gunzipSync(packed).toString());
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(content, "base64"));
  }
  return service;
}
