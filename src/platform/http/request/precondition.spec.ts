import { AppError } from '../../errors/app-error';
import { Precondition } from './precondition';

const TAG = '"now"';

function verdict(field: string | undefined): string {
  try {
    new Precondition(field, (resource) => (resource === 'as it is' ? TAG : '"other"')).check('as it is');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.status} ${error.code}`;
  }
  return 'holds';
}

describe('The If-Match field of a request', () => {
  it.each([undefined, '*', ' * ', '"now"', '"then", "now"', '"then","now"', 'W/"then", "now"'])(
    'holds when it is %s',
    (field) => {
      expect(verdict(field)).toBe('holds');
    },
  );

  it.each(['"then"', 'W/"now"', '"then", W/"now"', 'now', '', '"no', '"*"', '"Now"'])(
    'does not hold when it is %s',
    (field) => {
      expect(verdict(field)).toBe('412 precondition_failed');
    },
  );

  it('holds when the field is missing', () => {
    expect(() => Precondition.NONE.check('anything')).not.toThrow();
  });
});
