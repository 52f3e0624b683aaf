/**
 * Files that every door — the browser, a dataset, a scenario, a prediction — must read as the same rows, and files that
 * every door must refuse with the same faults. The kinds of files follow csv-spectrum and the big list of naughty
 * strings; the files are our own.
 */

export { acceptCases } from "./csv-accepted.ts";
export { type CaseRow, caseColumns, caseFeatures, caseRows, cellsOf } from "./csv-case-rows.ts";
export { refuseCases } from "./csv-refused.ts";
