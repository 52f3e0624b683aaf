/** Whether the caller asks for CSV rather than JSON. */
export function wantsCsv(request: Request): boolean {
  const accepted = (request.headers.get("accept") ?? "").toLowerCase().split(",");
  const types = accepted.map((range) => range.split(";")[0]!.trim());
  return types.includes("text/csv") && !types.includes("application/json");
}

/** Streams pieces of CSV as a download; a reader that stops reading stops their making. */
export function csvDownload(title: string, pieces: Generator<string>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel() {
      pieces.return(undefined);
    },
  });
  const name = `${title.replace(/[\p{Cc}"\\/:*?<>|]+/gu, "_").trim() || "predictions"}.csv`;
  const plain = name.replace(/[^\x20-\x7e]/g, "_");
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      // RFC 6266: a name for those that know only ASCII, and the real one.
      "Content-Disposition": `attachment; filename="${plain}"; filename*=UTF-8''${percentEncoded(name)}`,
      "Cache-Control": "no-store",
    },
  });
}

/** RFC 8187: what encodeURIComponent leaves as it is and the header's grammar does not allow. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
