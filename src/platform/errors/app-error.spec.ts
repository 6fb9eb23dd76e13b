import { AppError, defineError } from './app-error';

const Teapot = defineError({
  code: 'teapot',
  status: 418,
  message: 'This is a teapot.',
  headers: { 'X-Pot': 'tea', 'X-Size': 'small' },
});

describe('An error made by defineError', () => {
  it('has the declared code, status and message', () => {
    const error = new Teapot();
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'teapot', status: 418, message: 'This is a teapot.' });
    expect(error.headers).toEqual({ 'X-Pot': 'tea', 'X-Size': 'small' });
  });

  it('has a body of exactly three members', () => {
    expect(JSON.stringify(new Teapot({ cause: 'secret' }).toBody())).toBe(
      '{"code":"teapot","message":"This is a teapot.","status":418}',
    );
  });

  it('may have details of one occurrence, which the next does not have', () => {
    const cause = new Error('cause');
    const error = new Teapot({ message: 'It is full.', headers: { 'X-Size': 'large', 'X-New': '1' }, cause });
    expect(error.toBody().message).toBe('It is full.');
    expect(error.headers).toEqual({ 'X-Pot': 'tea', 'X-Size': 'large', 'X-New': '1' });
    expect(error.cause).toBe(cause);
    expect(new Teapot().headers).toEqual({ 'X-Pot': 'tea', 'X-Size': 'small' });
  });

  it('accepts a text as its message', () => {
    expect(new Teapot('It is empty.').toBody()).toEqual({
      code: 'teapot',
      message: 'It is empty.',
      status: 418,
    });
  });

  it('lists faults by field for operators only', () => {
    const faults = [{ field: 'lid', message: 'The lid is missing.' }];
    const error = new Teapot({ faults });
    expect(error.faults).toEqual(faults);
    expect(Object.keys(error.toBody())).toEqual(['code', 'message', 'status']);
    expect(Object.keys(new Teapot())).not.toContain('faults');
  });

  it('collects no stack, and keeps the stacks of other errors', () => {
    const limit = Error.stackTraceLimit;
    expect(new Teapot().stack?.split('\n')).toHaveLength(1);
    expect(Error.stackTraceLimit).toBe(limit);
    expect(new Error('fault').stack).toContain('app-error.spec');
  });
});

describe('defineError', () => {
  it('refuses a code that is already declared', () => {
    expect(() => defineError({ code: 'teapot', status: 400, message: 'Another.' })).toThrow(
      'The error code teapot is defined twice.',
    );
  });
});
