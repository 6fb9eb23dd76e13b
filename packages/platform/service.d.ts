export * from '../../src/serve';
