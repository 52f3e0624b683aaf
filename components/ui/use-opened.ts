"use client";

import { useQueryState } from "nuqs";

/** What the address asks to be opened on its page (`?open=new-scenario`), so that a link can lead to a dialog. */
export function useOpened() {
  return useQueryState("open");
}
