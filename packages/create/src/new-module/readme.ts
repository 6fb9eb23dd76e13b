import type { FeatureNames } from '../feature/names.ts';

/** Values for the files of a repository. */
export interface ModuleModel extends FeatureNames {
  readonly packageName: string;
  readonly platformVersion: string;
  /** Path of the repository's folder, from the service. */
  readonly folder: string;
}

/** The file that npm packs a package into. */
function packed(packageName: string): string {
  return `${packageName.replace(/^@/, '').replace('/', '-')}-1.0.0.tgz`;
}

/** The README of a new repository: how to build, test, pack and install it. */
export function readme({ packageName, platformVersion, plural, folder }: ModuleModel): string {
  const file = packed(packageName);
  return `# ${packageName}

A module of the petstore service: ${plural.words}. It needs Node.js 26, as the service does.

\`vendor\` holds the platform it is built against, ${platformVersion}. Pack it in the folder of the service, and commit it:

\`\`\`sh
npm run platform:pack -- ${folder}/vendor
\`\`\`

## Build and test

\`\`\`sh
npm install
npm run types
npm run lint
npm test
\`\`\`

The tests start the service with pets and this module, on SQLite and on a PostgreSQL that they start themselves. \`npm run ci\` makes every check on a clean checkout, and \`npm run format\` formats.

## Change it

In the folder of the service:

\`\`\`sh
npm run generate -- page ${plural.kebab} overview --folder ${folder}
\`\`\`

All commands of \`npm run generate\` take the folder.

## Install it into the service

In the folder of the service:

\`\`\`sh
npm pack ${folder} --pack-destination packages
npm install ./packages/${file}
echo "export { ${plural.pascal}Module } from '${packageName}';" >> src/features.ts
npm run artefacts
\`\`\`

Commit the packed file too: the image is built from it. \`docs/shipping-a-module.md\` in the service says what the module brings along and which versions fit.
`;
}
