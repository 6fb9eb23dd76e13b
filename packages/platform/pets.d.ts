export * from '../../src/exports/pets';
