import { Readable } from "node:stream";
import type { ListMultipartUploadsCommandOutput, S3Client } from "@aws-sdk/client-s3";
import type { ByteRange } from "./artifact-store.ts";
import { onlyPart } from "./part-of-answer.ts";
import { StoreFullError, StoreUnreachableError } from "./storage-errors.ts";

export type S3Place = {
  bucket: string;
  /** Before every key, "" or ending in "/". */
  prefix: string;
  region: string;
  /** Of a server other than Amazon's, which is asked for the bucket in the path; null: Amazon's of the region. */
  endpoint: string | null;
};

/** Parts of a large object in bytes: S3 takes 10,000 of them at most, so objects up to 80 GB. */
const PART_BYTES = 8 << 20;

/**
 * How long the server may take to be connected to, to begin its answer, and to go on with it, in milliseconds; a call
 * that fails for a moment is made twice. So no call waits longer than half a minute for an unresponsive server.
 */
const usualPatience = { connectionTimeout: 3_000, requestTimeout: 15_000, socketTimeout: 60_000 };
export type Patience = typeof usualPatience;
const CALLS_MAX = 2;

/** An object of a listing. */
export type Listed = { name: string; modifiedAt: Date };

/**
 * The few calls that a store makes of S3, with names below the place's prefix. The library is loaded at the first call,
 * credentials come from where it always looks (`AWS_ACCESS_KEY_ID` and the like, a profile, the machine's role), and it
 * repeats what failed for a moment.
 */
export class S3Objects {
  readonly #place: S3Place;
  readonly #patience: Patience;
  #opened: Promise<{ sdk: typeof import("@aws-sdk/client-s3"); client: S3Client }> | undefined;

  constructor(place: S3Place, patience: Patience = usualPatience) {
    this.#place = place;
    this.#patience = patience;
  }

  async put(name: string, body: Uint8Array, sha256: string): Promise<void> {
    await this.#call(({ sdk, client }) =>
      client.send(
        new sdk.PutObjectCommand({
          ...this.#object(name),
          Body: body,
          ChecksumSHA256: Buffer.from(sha256, "hex").toString("base64"),
        }),
      ),
    );
  }

  /**
   * Uploads a stream in parts. Where it breaks off, its own error is thrown, and the parts are given up; for parts that a
   * killed process left see `abortUploads`.
   */
  async putStream(name: string, body: AsyncIterable<Uint8Array>): Promise<void> {
    const { Upload } = await import("@aws-sdk/lib-storage");
    let broken: { error: unknown } | undefined;
    async function* watched() {
      try {
        yield* body;
      } catch (error) {
        broken = { error };
        throw error;
      }
    }
    await this.#call(async ({ client }) => {
      const params = { ...this.#object(name), Body: Readable.from(watched(), { objectMode: false }) };
      try {
        await new Upload({ client, partSize: PART_BYTES, queueSize: 2, params }).done();
      } catch (error) {
        throw broken ? broken.error : error;
      }
    });
  }

  /** Returns the object's content, or a part of it; null if the object does not exist. */
  async get(name: string, range?: ByteRange): Promise<Readable | null> {
    const part = range && { Range: `bytes=${range.start}-${range.end - 1}` };
    return this.#call(async ({ sdk, client }) => {
      try {
        const command = new sdk.GetObjectCommand({ ...this.#object(name), ...part });
        const { Body, ContentRange } = await client.send(command);
        return range ? onlyPart(Body as Readable, range, ContentRange) : (Body as Readable);
      } catch (error) {
        if (error instanceof sdk.NoSuchKey || statusOf(error) === 404) return null;
        throw error;
      }
    });
  }

  /** Every object whose name begins so, in the order of their bytes. */
  async *each(prefix: string): AsyncGenerator<Listed> {
    const { bucket, prefix: place } = this.#place;
    let after: string | undefined;
    do {
      const page = await this.#call(({ sdk, client }) =>
        client.send(
          new sdk.ListObjectsV2Command({
            Bucket: bucket,
            Prefix: `${place}${prefix}`,
            ContinuationToken: after,
          }),
        ),
      );
      for (const { Key, LastModified } of page.Contents ?? []) {
        yield { name: Key!.slice(place.length), modifiedAt: LastModified! };
      }
      after = page.NextContinuationToken;
    } while (after !== undefined);
  }

  /**
   * Gives up uploads in parts that were begun before a time: their processes were killed.
   *
   * @returns how many; 0 where the server cannot list them
   */
  async abortUploads(before: Date): Promise<number> {
    const { bucket, prefix } = this.#place;
    return this.#call(async ({ sdk, client }) => {
      let aborted = 0;
      let after: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
      while (after !== undefined) {
        const page: ListMultipartUploadsCommandOutput | null = await client
          .send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...after }))
          .catch(nullIfNotImplemented);
        for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
          if (Initiated! >= before) continue;
          await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
          aborted++;
        }
        const { NextKeyMarker, NextUploadIdMarker } = page ?? {};
        after = page?.IsTruncated
          ? {
              ...(NextKeyMarker && { KeyMarker: NextKeyMarker }),
              ...(NextUploadIdMarker && { UploadIdMarker: NextUploadIdMarker }),
            }
          : undefined;
      }
      return aborted;
    });
  }

  /** Those that are not there are no error. */
  async remove(names: readonly string[]): Promise<void> {
    const { bucket, prefix } = this.#place;
    await this.#call(async ({ sdk, client }) => {
      for (let from = 0; from < names.length; from += 1_000) {
        const Objects = names.slice(from, from + 1_000).map((name) => ({ Key: `${prefix}${name}` }));
        const { Errors = [] } = await client.send(
          new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
        );
        const [issue] = Errors;
        if (issue) throw new Error(`${issue.Code}: ${issue.Message}`);
      }
    });
  }

  #object(name: string) {
    return { Bucket: this.#place.bucket, Key: `${this.#place.prefix}${name}` };
  }

  async #call<T>(
    run: (opened: { sdk: typeof import("@aws-sdk/client-s3"); client: S3Client }) => Promise<T>,
  ): Promise<T> {
    this.#opened ??= open(this.#place, this.#patience);
    const opened = await this.#opened;
    try {
      return await run(opened);
    } catch (error) {
      if (statusOf(error) === 507) throw new StoreFullError(error);
      if (isAway(error)) throw new StoreUnreachableError(error);
      throw error;
    }
  }
}

async function open({ region, endpoint }: S3Place, patience: Patience) {
  const sdk = await import("@aws-sdk/client-s3");
  const client = new sdk.S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    // Servers other than Amazon's may not know its newer checksums; every file has a SHA-256 of ours.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { ...patience, throwOnRequestTimeout: true },
    maxAttempts: CALLS_MAX,
  });
  return { sdk, client };
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

function nullIfNotImplemented(error: unknown): null {
  if (statusOf(error) === 501) return null;
  throw error;
}

/** Whether the server could not be reached, or has had enough. Wrong credentials and a bucket that is not there are neither. */
function isAway(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined && status !== 200) return status === 429 || (status >= 500 && status !== 501);
  const { name = "", code } = error as { name?: string; code?: string };
  return name === "TimeoutError" || /^(ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|EHOST)/.test(code ?? "");
}
