import { Readable } from "node:stream";
import type { ByteRange } from "./artifact-store.ts";

/**
 * Returns the requested part of a response. A server may send more, or the whole object (RFC 9110, section 14.2).
 *
 * @param contentRange header of the response, such as "bytes 5-9/100"; without it, the response is the whole object
 */
export function onlyPart(
  answer: Readable,
  { start, end }: ByteRange,
  contentRange: string | undefined,
): Readable {
  const [, first = "0", last] = /^bytes (\d+)-(\d+)\//.exec(contentRange ?? "") ?? [];
  if (Number(first) === start && Number(last) === end - 1) return answer;
  async function* cut() {
    let at = Number(first);
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      const from = Math.max(0, start - at);
      const to = Math.min(chunk.length, end - at);
      if (from < to) yield chunk.subarray(from, to);
      at += chunk.length;
      if (at >= end) return;
    }
  }
  return Readable.from(cut(), { objectMode: false });
}
