/** One {@link Scheduled} of a method. */
export interface Schedule {
  readonly pattern: string;
  readonly timeZone: string;
  readonly title: string | undefined;
  readonly runsInReadOnlyMode: boolean;
}

/** Options of a schedule. */
export interface ScheduledOptions {
  /** The IANA name of the time zone of the pattern, such as `Europe/Berlin`; UTC unless given. */
  readonly timeZone?: string;
  /** The name of the job on the console's page, such as `Remove old audit events`; that of the method unless given. */
  readonly title?: string;
  /** True if the job runs in read-only mode, too: for what has to end even then. Other jobs wait. */
  readonly runsInReadOnlyMode?: boolean;
}

const SCHEDULE_METADATA = 'petstore:schedule';

/**
 * Runs a method of a provider at the times of a cron pattern, in one of the processes that serve on the same database. If
 * that process dies meanwhile, another one runs it again; times missed while none served are made up for by one run. Tests and
 * commands run no jobs.
 *
 * @param pattern five fields, `minute hour day month weekday`, or six with seconds in front
 */
export function Scheduled(
  pattern: string,
  { timeZone = 'UTC', title, runsInReadOnlyMode = false }: ScheduledOptions = {},
) {
  return <Method extends () => void | Promise<void>>(
    _target: object,
    _property: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const schedule: Schedule = { pattern, timeZone, title, runsInReadOnlyMode };
    Reflect.defineMetadata(SCHEDULE_METADATA, schedule, descriptor.value as object);
  };
}

/** Returns the schedules of a method; empty without {@link Scheduled}. */
export function schedulesOf(method: object): readonly Schedule[] {
  const schedule = Reflect.getMetadata(SCHEDULE_METADATA, method) as Schedule | undefined;
  return schedule ? [schedule] : [];
}
