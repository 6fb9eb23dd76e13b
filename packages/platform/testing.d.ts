export * from '../../test/support/service/testing';
