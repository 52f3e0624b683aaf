"use client";

import { useQueryStates } from "nuqs";
import { compareParsers } from "./compare-query.ts";

/** Keeps the state of the compare page in its URL, so that a copied link shows the same view. */
export const useCompareState = () => useQueryStates(compareParsers, { history: "replace" });
