/** Response as shown in the form. */
export type Answer = {
  status: number;
  durationMs: number;
  headers: [name: string, value: string][];
  /** Formatted JSON, or the beginning of any other text. */
  text: string;
};

const shownCharacters = 20_000;

/** Sends a request and reads the response. Rejects if no response arrives. */
export async function readAnswer({ url, init }: { url: string; init: RequestInit }): Promise<Answer> {
  const startedMs = performance.now();
  const response = await fetch(url, init);
  const text = await response.text();
  return {
    status: response.status,
    durationMs: performance.now() - startedMs,
    headers: [...response.headers].sort(([a], [b]) => a.localeCompare(b)),
    text: shorten(response.headers.get("content-type")?.includes("json") ? withLines(text) : text),
  };
}

function withLines(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function shorten(text: string): string {
  if (text.length <= shownCharacters) return text;
  return `${text.slice(0, shownCharacters)}\n… ${text.length - shownCharacters} more characters`;
}
