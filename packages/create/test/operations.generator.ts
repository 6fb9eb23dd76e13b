import { readOperations } from '../src/feature/operations.ts';

const NONE = { list: false, create: false, get: false, update: false, delete: false };

describe('The operations of a feature', () => {
  it('are all five by default', () => {
    expect(readOperations(undefined)).toEqual({
      list: true,
      create: true,
      get: true,
      update: true,
      delete: true,
    });
  });

  it.each(['list,create', ' create , list', 'list create list'])('are those named in %j', (text) => {
    expect(readOperations(text)).toEqual({ ...NONE, list: true, create: true });
  });

  it.each([
    ['list,patch', '"patch" is not an operation: choose from list, create, get, update, delete.'],
    ['List', '"List" is not an operation: choose from list, create, get, update, delete.'],
    ['', 'A feature needs at least one of the operations list, create, get, update, delete.'],
    [' , ', 'A feature needs at least one of the operations list, create, get, update, delete.'],
  ])('cannot be %j', (text, message) => {
    expect(() => readOperations(text)).toThrow(message);
  });
});
