export * from '../../src/service-data-source';
