/** Returns a CSV of an exact number of bytes in few rows; `y` is the row's number. */
export function csvOf(bytes: number): Buffer {
  const content = Buffer.alloc(bytes, "x");
  content.write("note,y\n");
  const rows = Math.ceil(bytes / 10_000);
  for (let row = 1; row <= rows; row++) {
    const end = Math.floor(((bytes - 7) * row) / rows) + 7;
    content.write(`,${String(row).padStart(6, "0")}\n`, end - 8);
  }
  return content;
}

/** Returns the JSON of a request that carries a file. */
export const fileBody = (content: Buffer) => [
  Buffer.from(`{"target":"y","exclude":["note"],"fileData":"${content.toString("base64")}"}`),
];
