import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { TestService } from '../service/service';

/**
 * What the suites have to know of a module that its document cannot say. It stands beside the module, as the export `samples` of
 * `src/orders/orders.samples.ts`; nothing else imports that file.
 */
export interface ModuleSamples {
  /** By path as the document has it, `/pets/{petId}/vaccination-records`. */
  readonly collections?: Readonly<Record<string, CollectionSamples>>;
  /** By operationId. */
  readonly operations?: Readonly<Record<string, OperationSamples>>;
}

/** What is special about the items of a collection. */
export interface CollectionSamples {
  /** Adds what has to be there before the first item, once for each service. */
  setUp?(add: AddSample): Promise<unknown>;
  /**
   * Members of the nth body: those that must differ from each other's, and those that must fit together. They stand in every
   * body in place of the document's examples, and of values that are made up.
   */
  members?(n: number, add: AddSample): Members | Promise<Members>;
  /** The parameters in the path of the collection, unless they are ids of the collections before them. */
  parents?(add: AddSample): Members | Promise<Members>;
}

/** What is special about an operation. */
export interface OperationSamples {
  /**
   * By the code of an error: gives the request that meets it, made of one that would be carried out. An error of the module's own
   * that is not named is left to its own tests.
   */
  readonly errors?: Readonly<Record<string, Provocation>>;
}

/** Values by name, as JSON has them. */
export type Members = Readonly<Record<string, unknown>>;

/** Adds an item to a collection, `/pets`, with these members in place of its sample's; gives its id. */
export type AddSample = (collection: string, members?: Members) => Promise<number>;

/** A request of an operation, as the suites send it. */
export interface SampleRequest {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

/** Makes of a request that would be carried out one that meets an error. */
export type Provocation = (good: {
  readonly request: SampleRequest;
  /** The same with other members in its body. */
  readonly requestWith: (members: Members) => SampleRequest;
  readonly send: (request: SampleRequest) => Promise<unknown>;
  readonly add: AddSample;
}) => SampleRequest | Promise<SampleRequest>;

const taught = new WeakMap<object, readonly ModuleSamples[]>();
/** The sources that are tested: of this project, of a service or of a package with modules. */
const SOURCES = join(process.cwd(), 'src');

let found: readonly ModuleSamples[] | undefined;

/** The samples beside the modules of `src`. */
export function findSamples(): readonly ModuleSamples[] {
  found ??= globSync(join(SOURCES, '**', '*.samples.ts'))
    .sort()
    .map((file) => (require(file) as { samples: ModuleSamples }).samples);
  return found;
}

/** Gives the suites the samples of modules that a service has besides those of `src`. */
export function teach({ app }: Pick<TestService, 'app'>, samples: readonly ModuleSamples[]): void {
  taught.set(app, samples);
}

function samplesOf({ app }: TestService): readonly ModuleSamples[] {
  return [...findSamples(), ...(taught.get(app) ?? [])];
}

/** What is special about a collection. */
export function collectionSamples(service: TestService, path: string): CollectionSamples {
  return Object.assign({}, ...samplesOf(service).map(({ collections }) => collections?.[path]));
}

/** What is special about an operation. */
export function operationSamples(service: TestService, operationId: string): OperationSamples {
  return Object.assign({}, ...samplesOf(service).map(({ operations }) => operations?.[operationId]));
}
