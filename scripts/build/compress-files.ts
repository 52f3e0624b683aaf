import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

const compress = promisify(brotliCompress);

/** Writes a Brotli-compressed copy beside each script and style of a folder, at the highest level: `<name>.br`. */
export async function compressFiles(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const texts = names.filter((name) => /\.(js|css)$/.test(name)).map((name) => path.join(folder, name));
  await Promise.all(texts.map(async (file) => writeFile(`${file}.br`, await compress(await readFile(file)))));
}
