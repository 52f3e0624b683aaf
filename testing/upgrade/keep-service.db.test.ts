import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { backUp } from "#lib/platform/backup/back-up";
import { store } from "#lib/platform/storage/store";
import { createTestDatabase } from "../postgres.ts";
import { createServiceData } from "./create-service-data.ts";
import { packService, unpackService } from "./packed-service.ts";
import { callsOf, perform } from "./recorded-calls.ts";

// Keeps the data of this version: KEEP_SERVICE_DATA=<commit> npx vitest run testing/upgrade/keep-service
const keepAs = process.env.KEEP_SERVICE_DATA;

const { sql } = await createTestDatabase();

test("packs the backup of a filled service with its answers", { timeout: 60_000 }, async () => {
  const data = await createServiceData();
  const folder = path.join(process.env.DATA_DIR!, "backup");
  await backUp(sql, store(), folder);
  const service = { data, calls: await perform(data, callsOf(data)) };
  const packed = packService(service, folder);
  expect(unpackService(packed, path.join(process.env.DATA_DIR!, "unpacked"))).toEqual(service);
  if (keepAs !== undefined) writeFileSync(path.join(import.meta.dirname, `${keepAs}.json.gz`), packed);
});
