import { Bookmark, Database, Gauge, GitBranch, ListChecks, Settings, Target } from "lucide-react";

/** Pages of a project, in order. */
export const projectSections = [
  { path: "data", label: "Data", icon: Database },
  { path: "model", label: "Model", icon: Gauge },
  { path: "checkpoints", label: "Checkpoints", icon: Bookmark },
  { path: "scenarios", label: "Scenarios", icon: GitBranch },
  { path: "record", label: "Track record", icon: Target },
  { path: "jobs", label: "Jobs", icon: ListChecks },
  { path: "settings", label: "Settings", icon: Settings },
];
