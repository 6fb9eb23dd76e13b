import * as listed from '../features';
import type { Features } from '../platform/features/feature-modules';

/** The features of `features.ts` as one value: `import()` of that file would sort its names, and add one of its own. */
export const features: Features = listed;
