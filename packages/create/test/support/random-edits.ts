import fc from 'fast-check';

/** Something a team does to a generated module. */
export interface Edit {
  readonly kind: 'insert' | 'replace' | 'delete' | 'move' | 'member' | 'rename' | 'carriage returns';
  /** Which file and which line, as a part of all of them. */
  readonly file: number;
  readonly line: number;
  readonly target: number;
  readonly lines: number;
}

/** A module to generate and what becomes of it. */
export interface EditedModule {
  readonly name: string;
  readonly fields: string;
  readonly operations: string;
  readonly edits: readonly Edit[];
}

const NAMES =
  'orders visits owners toys foods cages baskets leashes bowls clinics nurses shelters walks photos tags trips offers badges medals awards';
const FIELDS = [
  'name:string',
  'note:string?',
  'quantity:integer',
  'total:int64?',
  'weight:number?',
  'paid:boolean',
  'day:date?',
  'at:date-time',
  'code:uuid?',
  'status:enum(placed|approved|in-progress)?',
  'petId:ref(pets)',
];
const OPERATIONS = ['list', 'create', 'get', 'update', 'delete'];

const part = fc.noBias(fc.nat(9999)).map((number) => number / 10_000);
const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('insert', 'replace', 'delete', 'move', 'member', 'rename', 'carriage returns'),
  file: part,
  line: part,
  target: part,
  lines: fc.integer({ min: 1, max: 6 }),
});

/** Twenty modules of different fields and edits, always the same for a seed. */
export function editedModules(seed: number): EditedModule[] {
  const module = fc.record({
    fields: fc.subarray(FIELDS, { minLength: 1 }).map((fields) => fields.join(' ')),
    operations: fc.subarray(OPERATIONS, { minLength: 1 }).map((operations) => operations.join()),
    edits: fc.array(edit, { minLength: 40, maxLength: 60 }),
  });
  const names = NAMES.split(' ');
  const modules = fc.sample(module, { seed, numRuns: names.length });
  return names.map((name, index) => ({ name, ...(modules[index] as Omit<EditedModule, 'name'>) }));
}

/** An element by its part of all. */
export function at<T>(list: readonly T[], position: number): T {
  return list[Math.floor(position * list.length)] as T;
}

/** The text after an edit. What it adds is there once. */
export function edited(text: string, { kind, line, target, lines: count }: Edit, mark: string): string {
  if (kind === 'carriage returns') return text.replaceAll(/\r?\n/g, '\r\n');
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(newline);
  const place = Math.floor(line * lines.length);
  if (kind === 'insert') lines.splice(place, 0, `// ${mark}`);
  if (kind === 'replace') lines.splice(place, 1, `${lines[place]} // ${mark}`);
  if (kind === 'delete') lines.splice(place, count);
  if (kind === 'member') lines.splice(place, 0, '', `  ${mark}(): string {`, `    return '${mark}';`, '  }');
  if (kind === 'move') {
    const block = lines.splice(place, count);
    lines.splice(Math.floor(target * lines.length), 0, ...block);
  }
  if (kind === 'rename') {
    const names = [...new Set(text.match(/[A-Za-z]{4,}/g))];
    const name = at(names, target);
    return text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), mark);
  }
  return lines.join(newline);
}

/** A template with comments more, here and there where a statement or a block may stand. */
export function withComments(template: string, seed: number, mark: string): string {
  const lines = template.split('\n');
  const places = lines.flatMap((line, index) => (/^\s+[^<%]*[;{]$/.test(line) ? [index] : []));
  const chosen = new Set(fc.sample(part, { seed, numRuns: 5 }).map((position) => at(places, position)));
  return lines
    .flatMap((line, index) => (chosen.has(index) ? [line, `// ${mark} ${index}`] : [line]))
    .join('\n');
}
