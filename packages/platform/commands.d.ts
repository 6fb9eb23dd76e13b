export * from '../../src/run-commands';
