import { setImmediate as nextTick } from "node:timers/promises";

type Piece = string | Uint8Array;
type Pieces = Iterator<Piece> | AsyncIterator<Piece>;

/**
 * Streams pieces as the body of a response. Creates each piece when there is room for it, and ends the iterator if the client
 * stops reading. If a piece fails, the body ends early.
 *
 * @param first result of `pieces.next()`, if the caller has already taken it
 */
export function streamPieces(
  pieces: Pieces,
  first: IteratorResult<Piece> | null = null,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let made = first;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Yields to other requests. Creating all pieces at once would block them.
      await nextTick();
      const { value, done } = made ?? (await pieces.next());
      made = null;
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    async cancel() {
      await pieces.return?.(undefined);
    },
  });
}
