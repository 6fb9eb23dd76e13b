import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { parseDecimalInt64 } from '../values/int64';
import type { AppErrorClass } from '../errors/app-error';

/**
 * Injects a path parameter that is a 64-bit integer in plain decimal, as `bigint`.
 *
 * @param Missing thrown for anything else: a text that is not an identifier identifies nothing
 */
export function Int64Param(name: string, Missing: AppErrorClass, description: string): ParameterDecorator {
  const pipe: PipeTransform<string, bigint> = {
    transform(value) {
      const id = parseDecimalInt64(value);
      if (id === undefined) throw new Missing();
      return id;
    },
  };
  return (target, property, index) => {
    Param(name, pipe)(target, property, index);
    const handler = Object.getOwnPropertyDescriptor(target, property as string) as PropertyDescriptor;
    ApiParam({ name, description, schema: { type: 'integer', format: 'int64', example: 1 } })(
      target,
      property as string,
      handler,
    );
  };
}
