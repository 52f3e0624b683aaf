/**
 * Files that every entry point must read as the same rows, and files that every entry point must reject with the same
 * issues. Entry points are the browser, datasets, scenarios and predictions. The kinds of files follow csv-spectrum and
 * the Big List of Naughty Strings. The files are our own.
 */

export { acceptCases } from "./csv-accepted.ts";
export { type CaseRow, caseColumns, caseFeatures, caseRows, cellsOf } from "./csv-case-rows.ts";
export { readCases, unreadableCases } from "./csv-formats.ts";
export { rejectCases } from "./csv-rejected.ts";
