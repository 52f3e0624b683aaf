import { ApiError } from "#components/api/client.ts";
import type { ErrorBody } from "#lib/contract/common";
import { PARQUET_TYPE, WORKBOOK_TYPE } from "#lib/contract/reading";
import { unreadable } from "./file-reason.ts";

/**
 * Maximum size of a file sent inside the request, which checks all rows immediately. Larger files are streamed first.
 */
const inlineBytes = 8 * 1024 * 1024;

/** Files that forms accept as tables. */
export const TABLE_FILES = `.csv,.tsv,.xlsx,.parquet,text/csv,text/tab-separated-values,${WORKBOOK_TYPE},${PARQUET_TYPE}`;

function mediaTypeOf({ name }: File): string {
  if (/\.xls[xm]$/i.test(name)) return WORKBOOK_TYPE;
  return /\.parquet$/i.test(name) ? PARQUET_TYPE : "text/csv";
}

export type CsvSource = { fileData: string } | { uploadId: string };

/** Sends a file inside the request, or streams it first and shows the progress. */
export async function sendCsv(
  projectId: string,
  file: File,
  onProgress: (fraction: number) => void,
  mediaType = mediaTypeOf(file),
): Promise<CsvSource> {
  if (file.size > inlineBytes) return upload(projectId, file, onProgress, mediaType);
  return { fileData: await readBase64(file) };
}

/**
 * Returns a file's bytes as base64.
 *
 * @throws {ApiError} if the file cannot be read; forms show such errors
 */
export function readBase64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(new ApiError(0, { message: unreadable }));
    reader.readAsDataURL(file);
  });
}

/** Uses XMLHttpRequest because fetch does not report upload progress. */
function upload(
  projectId: string,
  file: File,
  onProgress: (fraction: number) => void,
  mediaType: string,
): Promise<CsvSource> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/v1/projects/${projectId}/uploads`);
    request.setRequestHeader("content-type", mediaType);
    request.responseType = "json";
    request.upload.onprogress = (event) => onProgress(event.loaded / file.size);
    request.onload = () => {
      if (request.status === 201) {
        resolve({ uploadId: (request.response as { data: { uploadId: string } }).data.uploadId });
        return;
      }
      const answer = request.response as ErrorBody | null;
      reject(new ApiError(request.status, answer?.error ?? { message: "The service rejected the upload." }));
    };
    request.onerror = () => reject(new ApiError(0, { message: "The upload was interrupted. Try again." }));
    request.send(file);
  });
}
