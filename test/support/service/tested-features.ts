import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PetsModule } from '../../../src/pets/pets.module';
import { listedFeatures, useFeatures, useServiceIn } from '../../../src/own-service';
import { type Features, isFeature } from '../../../src/platform/features/feature-modules';

const folder = join(process.cwd(), 'src');

/** True if the tests are those of a service. A package with modules has none: its tests start it with pets. */
const isService = existsSync(join(folder, 'main.ts'));
if (isService) useServiceIn(folder);
else useFeatures(() => besidePets(exportedFeatures()));

/** The modules that a package exports. */
function exportedFeatures(): Features {
  const index = join(folder, 'index.ts');
  const exported = existsSync(index) ? (require(index) as Features) : {};
  return Object.fromEntries(Object.entries(exported).filter(([, value]) => isFeature(value)));
}

/** Features as tests start them: those of a package beside pets. */
export function besidePets(features: Features): Features {
  return isService ? features : { PetsModule, ...features };
}

/** The features that the tests are of: those of the service or of the package, without pets, which are tested where they are made. */
export function testedFeatures(): Features {
  return Object.fromEntries(Object.entries(listedFeatures()).filter(([, feature]) => feature !== PetsModule));
}

/** The features whose migrations are not found by their place; undefined in a service. */
export function packagedFeatures(): Features | undefined {
  return isService ? undefined : testedFeatures();
}
