/**
 * Parses the text format of Prometheus, version 0.0.4, and checks it against the format's rules and naming conventions.
 *
 * @returns the types of the metric families by name, and the issues found
 */
export function exposition(text: string): { families: Map<string, string>; issues: string[] } {
  const families = new Map<string, string>();
  const described = new Set<string>();
  const seen = new Set<string>();
  const issues: string[] = [];
  if (!text.endsWith("\n")) issues.push("the last line has no line end");
  for (const line of text.split("\n").filter((one) => one !== "")) {
    const help = /^# HELP (\S+) .+$/.exec(line);
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line);
    const sample = /^([a-zA-Z_:][\w:]*)(\{[^}]*\})? (\S+)( \d+)?$/.exec(line);
    if (help) described.add(help[1]!);
    else if (type) families.set(type[1]!, type[2]!);
    else if (sample) issues.push(...sampleIssues(sample, families, seen));
    else issues.push(`invalid line: ${line}`);
  }
  for (const [name, type] of families) {
    if (!described.has(name)) issues.push(`${name} has no HELP line`);
    if (type === "counter" && !name.endsWith("_total"))
      issues.push(`the counter ${name} does not end in _total`);
    // The metrics library names the metrics of Node.js, and dashboards use these names.
    const isOurs = !name.startsWith("nodejs_");
    if (isOurs && type !== "counter" && name.endsWith("_total"))
      issues.push(`${name} ends in _total but is not a counter`);
    if (/_(ms|milliseconds|minutes|kb|mb)(_|$)/.test(name)) issues.push(`${name} is not in base units`);
  }
  return { families, issues };
}

const label = /^[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"$/;

function sampleIssues(sample: RegExpExecArray, families: Map<string, string>, seen: Set<string>): string[] {
  const [line, name, labels = "{}", value] = sample;
  const issues: string[] = [];
  const family = families.has(name!) ? name! : name!.replace(/_(bucket|sum|count)$/, "");
  if (!families.has(family)) issues.push(`no TYPE line before: ${line}`);
  const inner = labels.slice(1, -1).replace(/,$/, "");
  if (inner !== "" && !inner.split(/,(?=[a-zA-Z_]\w*=")/).every((one) => label.test(one))) {
    issues.push(`invalid labels: ${line}`);
  }
  if (!/^(NaN|[+-]?Inf|[+-]?\d+(\.\d+)?([eE][+-]?\d+)?)$/i.test(value!))
    issues.push(`invalid value: ${line}`);
  if (seen.has(`${name}${labels}`)) issues.push(`duplicate sample: ${line}`);
  seen.add(`${name}${labels}`);
  return issues;
}
