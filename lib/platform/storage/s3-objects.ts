import { Readable } from "node:stream";
import type { ListMultipartUploadsCommandOutput, S3Client } from "@aws-sdk/client-s3";
import type { ByteRange } from "./artifact-store.ts";
import { onlyPart } from "./part-of-answer.ts";
import { StoreFullError, StoreUnreachableError } from "./storage-errors.ts";

export type S3Place = {
  bucket: string;
  /** Prefix of every key: "" or a text that ends in "/". */
  prefix: string;
  region: string;
  /** Address of a server with the bucket in the path. null: Amazon's server of the region. */
  endpoint: string | null;
};

/** Size of the parts of a large object, in bytes. S3 allows 10,000 parts, so objects have at most 80 GB. */
const PART_BYTES = 8 << 20;

/**
 * Time limits in milliseconds: to connect, to the start of the response, and between its parts. A call with a temporary
 * failure is repeated once. So no call waits longer than half a minute for an unresponsive server.
 */
const usualPatience = { connectionTimeout: 3_000, requestTimeout: 15_000, socketTimeout: 60_000 };
export type Patience = typeof usualPatience;
const CALLS_MAX = 2;

/** An object of a listing. */
export type Listed = { name: string; modifiedAt: Date };

/**
 * Calls of a store to S3, with names below the prefix. Loads the library at the first call. The library reads the
 * credentials from its usual places (`AWS_ACCESS_KEY_ID`, a profile, the machine's role), and retries temporary failures.
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
   * Uploads a stream in parts. If the stream fails, aborts the upload and throws the error of the stream. `abortUploads`
   * removes the parts of killed processes.
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
        const content = withStoreErrors(Body as Readable);
        return range ? onlyPart(content, range, ContentRange) : content;
      } catch (error) {
        if (error instanceof sdk.NoSuchKey || statusOf(error) === 404) return null;
        throw error;
      }
    });
  }

  /** Iterates over the objects with a prefix, sorted by the bytes of their names. */
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
   * Aborts uploads in parts that started before a time, because their processes were killed.
   *
   * @returns their number; 0 if the server cannot list them
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

  /** Deletes objects. Ignores absent ones. */
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
      throw storeError(error);
    }
  }
}

async function open({ region, endpoint }: S3Place, patience: Patience) {
  const sdk = await import("@aws-sdk/client-s3");
  const client = new sdk.S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    // Other servers may not support Amazon's newer checksums. The manifest has a SHA-256 of every file.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { ...patience, throwOnRequestTimeout: true },
    maxAttempts: CALLS_MAX,
  });
  return { sdk, client };
}

/** Returns the error of the store for an error of the library. */
function storeError(error: unknown): unknown {
  if (statusOf(error) === 507) return new StoreFullError(error);
  return isAway(error) ? new StoreUnreachableError(error) : error;
}

/**
 * Converts the error of a response that breaks off. Its code is that of a lost connection, which jobs would take for an
 * outage of the database.
 */
function withStoreErrors(response: Readable): Readable {
  const destroy = response.destroy.bind(response);
  response.destroy = (error) => destroy(error && (storeError(error) as Error));
  return response;
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

function nullIfNotImplemented(error: unknown): null {
  if (statusOf(error) === 501) return null;
  throw error;
}

/**
 * Returns whether the server is unreachable or overloaded, or rejects signatures because a clock is wrong, which time
 * services correct. Invalid credentials and an absent bucket are none of these.
 */
function isAway(error: unknown): boolean {
  const status = statusOf(error);
  if ((error as { name?: string }).name === "RequestTimeTooSkewed") return true;
  if (status !== undefined && status !== 200) return status === 429 || (status >= 500 && status !== 501);
  const { name = "", code } = error as { name?: string; code?: string };
  return name === "TimeoutError" || /^(ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|EHOST)/.test(code ?? "");
}
