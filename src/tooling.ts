import type { Tooling } from './platform/features/tooling';

/** What is added to the core. A service of its own may leave out the line; `docs/architecture.md` says what goes with it. */
export const TOOLING: readonly (() => Promise<Tooling>)[] = [
  async () => (await import('./admin/tooling.js')).ADMIN_TOOLING,
];
