"use client";

import { useQueryStates } from "nuqs";
import { compareParsers } from "./compare-query.ts";

/** The state of the compare page lives in its address, so that a copied link shows the same. */
export const useCompareState = () => useQueryStates(compareParsers, { history: "replace" });
