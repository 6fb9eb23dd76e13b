import { AppModule } from '../../../src/app.module';
import * as features from '../../../src/features';
import type { Features } from '../../../src/platform/features/feature-modules';

/** Starts the service as if `src/features.ts` had more lines, after those it has. */
export async function withFeatures<T>(
  more: Readonly<Record<string, unknown>>,
  start: () => Promise<T>,
): Promise<T> {
  const forRoot = AppModule.forRoot.bind(AppModule);
  const replaced = jest
    .spyOn(AppModule, 'forRoot')
    .mockImplementation((parts) => forRoot(parts, { ...features, ...more } as Features));
  try {
    return await start();
  } finally {
    replaced.mockRestore();
  }
}
