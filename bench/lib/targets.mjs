const READY_LIMIT_MS = 1_500;
const RSS_LIMIT_BYTES = 200e6;
const TOLERANCE = 0.1;

/**
 * The service's targets against the measured medians: list of `{name, target, measured, reached}`.
 * A ratio is the service's answers per second over the other's.
 */
export function judgeTargets({ compared, depth, size, starts, rssBytes, watching }) {
  const over = (scenario, peer) =>
    compared[scenario].service.rate.median / compared[scenario][peer].rate.median;
  const atLeast = (name, ratio, limit) => ({
    name,
    target: `at least ${limit.toFixed(1)}`,
    measured: ratio.toFixed(2),
    reached: ratio >= limit,
  });
  const within = (name, other, base) => {
    const loss = 1 - other.rate.median / base.rate.median;
    return {
      name,
      target: 'at most 10 % slower',
      measured: loss > 0 ? `${(loss * 100).toFixed(1)} % slower` : `${(-loss * 100).toFixed(1)} % faster`,
      reached: loss <= TOLERANCE,
    };
  };
  const below = (name, value, limit, write) => ({
    name,
    target: `at most ${write(limit)}`,
    measured: write(value),
    reached: value <= limit,
  });
  const milliseconds = (value) => `${Math.round(value)} ms`;
  const megabytes = (value) => `${Math.round(value / 1e6)} MB`;
  return [
    atLeast('list, over hand-written Express', over('list', 'express'), 1),
    atLeast('list, over stock Nest', over('list', 'nest'), 3),
    atLeast('get by id, over hand-written Express', over('get', 'express'), 0.8),
    atLeast('create, over hand-written Express', over('create', 'express'), 1),
    atLeast('refused unknown key, over hand-written Express', over('refused', 'express'), 1),
    atLeast('refused malformed key, over hand-written Express', over('malformed', 'express'), 1),
    within('10,000th page against the first', depth.deep, depth.first),
    within('list, large table against 1,000 rows', size.list.large, size.list.small),
    within('get by id, large table against 1,000 rows', size.get.large, size.get.small),
    ...Object.values(watching.scenarios).map(({ title, base, other }) =>
      within(`${title}: limits, metrics and logs on, against off`, other, base),
    ),
    below('ready after start, existing database', starts.existing.median, READY_LIMIT_MS, milliseconds),
    below('ready after start, new database', starts.fresh.median, READY_LIMIT_MS, milliseconds),
    below('resident memory after the load', rssBytes.service, RSS_LIMIT_BYTES, megabytes),
  ];
}
