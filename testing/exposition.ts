/**
 * Reads Prometheus' text format, version 0.0.4, and holds it against its rules and naming conventions.
 *
 * @returns the families by name with their types, and what is wrong
 */
export function exposition(text: string): { families: Map<string, string>; faults: string[] } {
  const families = new Map<string, string>();
  const described = new Set<string>();
  const seen = new Set<string>();
  const faults: string[] = [];
  if (!text.endsWith("\n")) faults.push("the last line has no end");
  for (const line of text.split("\n").filter((one) => one !== "")) {
    const help = /^# HELP (\S+) .+$/.exec(line);
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line);
    const sample = /^([a-zA-Z_:][\w:]*)(\{[^}]*\})? (\S+)( \d+)?$/.exec(line);
    if (help) described.add(help[1]!);
    else if (type) families.set(type[1]!, type[2]!);
    else if (sample) faults.push(...sampleFaults(sample, families, seen));
    else faults.push(`not understood: ${line}`);
  }
  for (const [name, type] of families) {
    if (!described.has(name)) faults.push(`${name} has no help`);
    if (type === "counter" && !name.endsWith("_total"))
      faults.push(`the counter ${name} does not end in _total`);
    // Those of Node.js itself are named by the library, and known to dashboards by these names.
    const isOurs = !name.startsWith("nodejs_");
    if (isOurs && type !== "counter" && name.endsWith("_total")) faults.push(`${name} is no counter`);
    if (/_(ms|milliseconds|minutes|kb|mb)(_|$)/.test(name)) faults.push(`${name} is not in base units`);
  }
  return { families, faults };
}

const label = /^[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"$/;

function sampleFaults(sample: RegExpExecArray, families: Map<string, string>, seen: Set<string>): string[] {
  const [line, name, labels = "{}", value] = sample;
  const faults: string[] = [];
  const family = families.has(name!) ? name! : name!.replace(/_(bucket|sum|count)$/, "");
  if (!families.has(family)) faults.push(`no type before: ${line}`);
  const inner = labels.slice(1, -1).replace(/,$/, "");
  if (inner !== "" && !inner.split(/,(?=[a-zA-Z_]\w*=")/).every((one) => label.test(one))) {
    faults.push(`labels: ${line}`);
  }
  if (!/^(NaN|[+-]?Inf|[+-]?\d+(\.\d+)?([eE][+-]?\d+)?)$/i.test(value!)) faults.push(`value: ${line}`);
  if (seen.has(`${name}${labels}`)) faults.push(`twice: ${line}`);
  seen.add(`${name}${labels}`);
  return faults;
}
