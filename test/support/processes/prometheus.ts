/** One family of metrics as a scrape has it. */
export interface MetricFamily {
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

/** One line: `name{label="value"} 1`. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Prometheus takes `NaN` in any letter case, and its client writes `Nan`. */
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([Nn]a[Nn]|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;

/**
 * Reads Prometheus' text format 0.0.4 line by line.
 *
 * @throws Error naming the first line that is not in it, that comes before its family's HELP and TYPE, or comes twice
 */
export function parseMetrics(text: string): Map<string, MetricFamily> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  const families = new Map<string, MetricFamily>();
  const seen = new Set<string>();
  let help: RegExpExecArray | null = null;
  let current: [name: string, family: MetricFamily] | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    if (line.startsWith('# HELP ')) {
      help = /^# HELP (\S+) (\S.*)$/.exec(line);
      if (!help) throw new Error(`Not a HELP line: ${line}`);
    } else if (type) {
      const [, name = '', kind = ''] = type;
      if (help?.[1] !== name || families.has(name)) throw new Error(`Not where it belongs: ${line}`);
      current = [name, { type: kind, help: help[2] as string, samples: [] }];
      families.set(...current);
    } else {
      const sample = parseSample(line);
      if (!current || !belongs(sample.name, ...current)) throw new Error(`Not of its family: ${line}`);
      const id = line.slice(0, line.lastIndexOf(' '));
      if (seen.has(id)) throw new Error(`Twice: ${line}`);
      seen.add(id);
      current[1].samples.push(sample);
    }
  }
  return families;
}

function parseSample(line: string): Sample {
  const [, name, labelText = '', number] = SAMPLE.exec(line) ?? [];
  if (name === undefined || number === undefined) throw new Error(`Not a sample: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  let end = 0;
  while (end < labelText.length) {
    const [, label, value] = LABEL.exec(labelText) ?? [];
    if (label === undefined || value === undefined) throw new Error(`Not a list of labels: ${line}`);
    labels[label] = value.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
    end = LABEL.lastIndex;
  }
  return { name, labels, value: Number(number.replace('Inf', 'Infinity')) };
}

function belongs(sample: string, name: string, { type }: MetricFamily): boolean {
  return type === 'histogram' ? new RegExp(`^${name}_(bucket|sum|count)$`).test(sample) : sample === name;
}
