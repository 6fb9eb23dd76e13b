/** The ports of the service: one with the interface for its clients, one for its operators. */
export type Listener = 'public' | 'management';

/**
 * Prefix of the management port's paths in Nest, which knows nothing of ports: so it registers `/health/live` of each port as a
 * path of its own. The adapter takes the prefix off, and each port has a table of its own routes.
 */
export const MANAGEMENT_PREFIX = '/@management';
