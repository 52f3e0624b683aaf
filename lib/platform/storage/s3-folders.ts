import { manifestFileName } from "./artifact-key.ts";
import type { Listed } from "./s3-objects.ts";

/** Objects of one folder in a bucket: whether the manifest was listed, and the files of each generation. */
type FolderSeen = {
  folder: string;
  published: boolean;
  generations: Map<string, { names: string[]; newest: Date }>;
};

/**
 * Groups a listing by folder. A listing is sorted by name, so the generations of a folder (`.…`) come right before its
 * manifest, and only one folder at a time is in memory.
 */
export async function* foldersOf(listing: AsyncIterable<Listed>): AsyncGenerator<FolderSeen> {
  let seen: FolderSeen | undefined;
  for await (const object of listing) {
    const parts = partsOf(object.name);
    if (parts === null) continue;
    if (seen?.folder !== parts.folder) {
      if (seen !== undefined) yield seen;
      seen = { folder: parts.folder, published: false, generations: new Map() };
    }
    if (parts.generation === null) seen.published = true;
    else add(seen, parts.generation, object);
  }
  if (seen !== undefined) yield seen;
}

function partsOf(name: string): { folder: string; generation: string | null } | null {
  const [, folder, generation] = /^(.+)\/\.([0-9a-f]+)\/[^/]+$/.exec(name) ?? [];
  if (folder !== undefined) return { folder, generation: generation! };
  if (!name.endsWith(`/${manifestFileName}`)) return null;
  return { folder: name.slice(0, -manifestFileName.length - 1), generation: null };
}

function add({ generations }: FolderSeen, generation: string, { name, modifiedAt }: Listed): void {
  const known = generations.get(generation);
  if (known === undefined) {
    generations.set(generation, { names: [name], newest: modifiedAt });
    return;
  }
  known.names.push(name);
  if (modifiedAt > known.newest) known.newest = modifiedAt;
}
