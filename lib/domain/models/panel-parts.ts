import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type FitOfParts, PARTS_VERSION } from "#lib/engine/training/panel-parts";
import { writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import type { JobRun } from "#lib/platform/jobs/job-run";
import { findPart, type Part, partKey, sendParts, takePart } from "#lib/platform/jobs/parts";
import { ArtifactNotFoundError } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";

/** File of the input of a part, and of each fit. */
export const PART_FILE = "part";
/** Fits of a part: to the rows before the back-tests, and to all rows. */
const FITS = [0, 1];
const POLL_MS = 200;
/** Time without a worker that fits parts, after which a training fits its parts itself: all workers may be stopping. */
const UNTAKEN_MS = 10_000;

/** Returns a function by which a training has its parts fitted by all workers. */
export function partsOfTraining(run: JobRun, signal: AbortSignal): FitOfParts {
  const { job } = run;
  const { db } = run.ctx;
  const added: { id: string; part: Part }[][] = [];
  /** When a worker was last seen to fit a part. */
  let fittedAt = 0;

  /** Stores the input, unless an earlier attempt did. */
  async function add(input: Uint8Array): Promise<void> {
    const hash = createHash("sha256").update(`${PARTS_VERSION} ${job.id} ${added.length}`).update(input);
    const digest = hash.digest("hex");
    const inputKey = partKey(job, `${digest.slice(0, 32)}-${job.attempt}`);
    const fits = FITS.map((fit) => ({
      id: idOf(`${digest} ${fit}`),
      part: { jobId: job.id, projectId: job.projectId, inputKey, fit, version: PARTS_VERSION },
    }));
    added.push(fits);
    const known = await Promise.all(fits.map(({ id }) => findPart(db, id)));
    if (known.includes(null))
      await writeArtifacts(db, [inputKey], () =>
        store().writeFolder(inputKey, new Map([[PART_FILE, input]])),
      );
  }

  async function begin(): Promise<void> {
    // Back-tests need the first fit of all parts before the second.
    const parts = FITS.flatMap((fit) => added.map((fits) => fits[fit]!));
    await db.transaction(async (tx) => {
      await run.requireCurrentAttempt(tx);
      await sendParts(tx, parts);
    });
    fittedAt = performance.now();
  }

  /** Waits for a fit. Returns null if no worker makes it. */
  async function take(id: string): Promise<Uint8Array | null> {
    for (;;) {
      signal.throwIfAborted();
      const found = await findPart(db, id);
      if (found?.state === "active" || found?.state === "completed") fittedAt = performance.now();
      if (found?.state === "completed" && found.key !== null) return readFit(found.key);
      if (found === null || !["created", "retry", "active"].includes(found.state)) return null;
      if (performance.now() - fittedAt > UNTAKEN_MS && (await takePart(db, id))) return null;
      await delay(POLL_MS, undefined, { signal }).catch(() => {}); // The next turn throws the reason.
    }
  }

  return async (request) => {
    signal.throwIfAborted();
    if (request.kind === "take") return take(added[request.part]![request.fit]!.id);
    await (request.kind === "add" ? add(request.input) : begin());
    return null;
  };
}

/** Returns null if the file is gone, because claims of files end after some hours. */
async function readFit(key: string): Promise<Uint8Array | null> {
  return store()
    .readFile(key, PART_FILE)
    .catch((cause) => {
      if (cause instanceof ArtifactNotFoundError) return null;
      throw cause;
    });
}

/** Returns a GUID of version 8 (RFC 9562, section 5.8), which is a hash. */
function idOf(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes[6] = 0x80 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
