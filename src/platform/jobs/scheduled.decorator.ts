/** One {@link Scheduled} of a method. */
export interface Schedule {
  readonly pattern: string;
  readonly timeZone: string;
  readonly title: string | undefined;
}

/** How a schedule is meant. */
export interface ScheduledOptions {
  /** The IANA name of the time zone of the pattern, as `Europe/Berlin`; UTC unless given. */
  readonly timeZone?: string;
  /** The name of the job on the console's page, as `Remove old audit events`; that of the method unless given. */
  readonly title?: string;
}

const SCHEDULE_METADATA = 'petstore:schedule';

/**
 * Has a method of a provider run at the times of a cron pattern, in one process of all that serve on the same database. When that
 * process dies meanwhile another one runs it again; what was missed while none served is run once. Tests and commands run none.
 *
 * @param pattern five fields, `minute hour day month weekday`, or six with seconds in front
 */
export function Scheduled(pattern: string, { timeZone = 'UTC', title }: ScheduledOptions = {}) {
  return <Method extends () => void | Promise<void>>(
    _target: object,
    _property: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const schedule: Schedule = { pattern, timeZone, title };
    Reflect.defineMetadata(SCHEDULE_METADATA, schedule, descriptor.value as object);
  };
}

/** When a method is to run; empty of one without {@link Scheduled}. */
export function schedulesOf(method: object): readonly Schedule[] {
  const schedule = Reflect.getMetadata(SCHEDULE_METADATA, method) as Schedule | undefined;
  return schedule ? [schedule] : [];
}
