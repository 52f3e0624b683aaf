/** Limits of the API. */
export const limits = {
  checkpointsPerProject: 20,
  labelMin: 2,
  labelMax: 100,
  folderNameMax: 50,
  projectNameMax: 100,
  scenarioTitleMax: 200,
  tagsPerScenario: 10,
  tagMax: 50,
  notesMax: 5_000,
  searchMax: 200,
  descriptionMax: 2_000,
  fileNameMax: 255,
  columnNameMax: 1_000,
  displayNameMax: 200,
  unitMax: 20,
  decimalsMax: 10,
  displayedColumns: 10_000,
  jsonBytes: 1_000_000,
  /** Commas and colons of a JSON body other than that of a prediction. */
  jsonSeparators: 100_000,
  predictBytes: 10_000_000,
  predictRows: 10_000,
  csvBytes: 64 * 1024 * 1024,
  /** Values of a table that is held in memory, 4 or 8 bytes each. */
  tableValues: 50_000_000,
  /** Columns that name the series of a dataset, its series, and its rows if it has any. */
  seriesColumns: 4,
  series: 10_000,
  panelRows: 20_000_000,
  /** Values of a dataset with series. Its series columns take 4 bytes per value. */
  panelValues: 100_000_000,
  /** Different values of a column of codes. */
  codes: 12,
  /** Charts and comparisons hold about 30 bytes per row. */
  scenarioRows: 20_000_000,
  /** Rows of a scenario of many series. */
  panelScenarioRows: 2_000_000,
  /** Series that a preview, a sensitivity or a goal seek predicts. */
  whatIfSeries: 200,
  /** Total rows of the scenarios in one comparison. */
  comparedRows: 40_000_000,
  /** Size of an Excel workbook, as a file and unpacked. */
  workbookBytes: 64 * 1_048_576,
  unpackedBytes: 512 * 1_048_576,
  /** Size of a Parquet file, which is in memory while it is read. */
  parquetBytes: 256 * 1_048_576,
  uploadBytes: 2 * 1024 * 1024 * 1024,
  modelFileBytes: 64 * 1024 * 1024,
  checkpointFileBytes: 512 * 1024 * 1024,
  compareMin: 2,
  compareMax: 20,
  /** Completed runs that each scenario of a project keeps: an admin sets at most `runsKeptMax`. */
  runsKeptDefault: 24,
  runsKeptMax: 200,
  comparisonsPerProject: 100,
  comparisonNameMax: 100,
  decisionReasonMax: 500,
  webhooksPerProject: 20,
  webhookUrlMax: 2_000,
  /** Ended deliveries of a webhook that the service keeps, for at most 30 days. */
  deliveriesKept: 1_000,
  /** Changed fields of one entry of the audit log, and characters of a value. */
  auditedChanges: 50,
  auditedText: 200,
  errorDetails: 100,
  idempotencyKeyMax: 255,
  adjustmentsMax: 100,
  /** Active overrides of a scenario. */
  overridesPerScenario: 100,
  overrideReasonMax: 500,
  /** Series of a dataset whose target one request returns. */
  targetSeries: 24,
  /** Latest runs that a track record reads, and their rows; authors and reasons of overrides that it lists. */
  trackedRuns: 100,
  trackedRows: 1_000_000,
  trackedGroups: 20,
  /** Periods of an outlook. */
  outlookPeriods: 1_000,
  validationPoints: 1_000,
  sensitivityFeatures: 100,
  /** Rows of a preview, and of one whose rows build on each other. */
  previewRows: 50_000,
  previewRowsTogether: 10_000,
  /** Series whose known rows one record of a checkpoint, or one comparison of models, predicts. */
  judgedSeries: 300,
  levers: 6,
  leverValues: 10_000,
  goalConstraints: 5,
  listDefault: 50,
  listMax: 200,
} as const;
