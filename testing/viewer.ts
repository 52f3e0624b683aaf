import type { Viewer } from "#components/api/viewer.tsx";

/** Signed-in analyst of the service, for pages that are rendered without a browser. */
export const analyst: Viewer = {
  id: "ada",
  name: "Ada",
  email: "ada@example.com",
  role: "analyst",
  hasMail: false,
  sharesComparisons: false,
};
