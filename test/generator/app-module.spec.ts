import { withFeatureImport } from '../../schematics/feature/app-module';

const HEAD = `// The features of the service, one line each.
import './pets/pets.module';`;
const REST = `
import { Module } from '@nestjs/common';
import   {x}   from "./auth/auth.module"

@Module({})
export class AppModule {}
`;

describe('the list of features', () => {
  it('gets a line after the last feature, and keeps the rest as it is', () => {
    const one = withFeatureImport(HEAD + REST, 'orders');
    expect(one).toBe(`${HEAD}\nimport './orders/orders.module';${REST}`);
    expect(withFeatureImport(one, 'visits')).toBe(
      `${HEAD}\nimport './orders/orders.module';\nimport './visits/visits.module';${REST}`,
    );
  });

  it('is not changed when the feature is in it', () => {
    expect(withFeatureImport(HEAD + REST, 'pets')).toBe(HEAD + REST);
  });

  it('keeps what stands behind the last feature on its line, and its line ends', () => {
    const text = `import "./pets/pets.module" // the first\r\nimport 'reflect-metadata';\r\n`;
    expect(withFeatureImport(text, 'orders')).toBe(
      `import "./pets/pets.module" // the first\r\nimport './orders/orders.module';\r\nimport 'reflect-metadata';\r\n`,
    );
  });

  it('may end the file', () => {
    expect(withFeatureImport(`import './pets/pets.module';`, 'orders')).toBe(
      `import './pets/pets.module';\nimport './orders/orders.module';`,
    );
  });

  it.each([
    ['nothing', ''],
    ['an import of names', "import { PetsModule } from './pets/pets.module';"],
    ['an import of something else', "import './pets/pets.service';\nimport 'reflect-metadata';"],
    ['an import in a comment', "// import './pets/pets.module';"],
    ['an import in a text', "const text = `\nimport './pets/pets.module';\n`;"],
  ])('is not found in %s', (_title, text) => {
    expect(() => withFeatureImport(text, 'orders')).toThrow(
      /^src\/app\.module\.ts imports no feature as the others are/,
    );
  });

  it('is not looked for in a file with a syntax error', () => {
    expect(() => withFeatureImport(`${HEAD}\nexport class {`, 'orders')).toThrow(
      "The features cannot be listed: src/app.module.ts:3 '}' expected.",
    );
  });
});
