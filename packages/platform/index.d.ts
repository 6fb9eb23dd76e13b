export * from '../../src/platform/exports';
