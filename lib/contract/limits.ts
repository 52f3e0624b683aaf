/** Limits of the API. */
export const limits = {
  checkpointsPerProject: 20,
  labelMin: 2,
  labelMax: 100,
  folderNameMax: 50,
  projectNameMax: 100,
  scenarioTitleMax: 200,
  descriptionMax: 2_000,
  fileNameMax: 255,
  jsonBytes: 1_000_000,
  predictBytes: 10_000_000,
  predictRows: 10_000,
  csvBytes: 64 * 1024 * 1024,
  /** Values of a table that is held in memory, 8 bytes each. */
  tableValues: 50_000_000,
  /** Charts and comparisons hold about 30 bytes per row. */
  scenarioRows: 20_000_000,
  /** Total rows of the scenarios in one comparison. */
  comparedRows: 40_000_000,
  uploadBytes: 2 * 1024 * 1024 * 1024,
  modelFileBytes: 64 * 1024 * 1024,
  checkpointFileBytes: 512 * 1024 * 1024,
  generatedRows: 100_000,
  compareMin: 2,
  compareMax: 20,
  errorDetails: 100,
  idempotencyKeyMax: 255,
  adjustmentsMax: 100,
  listDefault: 50,
  listMax: 200,
} as const;
