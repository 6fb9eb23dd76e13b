export * from '../../src/exports/platform';
