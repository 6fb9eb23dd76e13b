import 'reflect-metadata';
import type { PipeTransform } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/internal';
import { NotFoundError } from '../errors/http-errors';
import { Int64Param } from './int64-param.decorator';

class ToysController {
  getToy(@Int64Param('toyId', NotFoundError, 'Identifier of the toy.') toyId: bigint): bigint {
    return toyId;
  }
}

const [parameter] = Object.values(
  Reflect.getMetadata(ROUTE_ARGS_METADATA, ToysController, 'getToy') as Record<
    string,
    { data: string; pipes: PipeTransform<string, bigint>[] }
  >,
);

function read(text: string): bigint | undefined {
  return parameter?.pipes[0]?.transform(text, { type: 'param' });
}

describe('An int64 path parameter', () => {
  it('is the parameter of that name', () => {
    expect(parameter).toMatchObject({ data: 'toyId', pipes: { length: 1 } });
  });

  it.each(['0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808'])(
    'is read exactly: %s',
    (text) => {
      expect(read(text)).toBe(BigInt(text));
    },
  );

  it.each([
    ...['', 'abc', '1.0', '+1', '01', '-0', '1e3', '0x1', ' 1', '1 ', '1\n', '1\u0000', '1;a', '1,2', "1'--"],
    ...[
      '9223372036854775808',
      '-9223372036854775809',
      '1'.repeat(5_000),
      '٣',
      'null',
      '__proto__',
      ':toyId',
      '*',
    ],
  ])('matches no record when it is "%s"', (text) => {
    expect(() => read(text)).toThrow(NotFoundError);
  });
});
