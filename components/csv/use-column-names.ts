"use client";

import { useState } from "react";
import type { Encoding } from "#lib/engine/csv/encodings";
import { renameColumns } from "./rename-columns.ts";

/**
 * Renames columns of the chosen file. The browser rewrites the file before the upload.
 *
 * @param encoding encoding of the dataset that the file belongs to; null if the bytes decide
 */
export function useColumnNames(file: File | null, encoding: Encoding | null, onFile: (file: File) => void) {
  const [renaming, setRenaming] = useState<{ original: File; names: Record<string, string> } | null>(null);
  return {
    names: renaming?.names ?? {},
    choose(chosen: File) {
      setRenaming(null);
      onFile(chosen);
    },
    async rename(more: Record<string, string>) {
      const original = renaming?.original ?? file;
      if (!original) return;
      const names = { ...renaming?.names, ...more };
      onFile(await renameColumns(original, names, encoding));
      setRenaming({ original, names });
    },
    undo() {
      if (!renaming) return;
      onFile(renaming.original);
      setRenaming(null);
    },
  };
}

export type ColumnNames = ReturnType<typeof useColumnNames>;
