"use client";

import { useQueryState } from "nuqs";

/** Reads the dialog to open from the URL (`?open=new-scenario`), so that a link can open a dialog. */
export function useOpened() {
  return useQueryState("open");
}
