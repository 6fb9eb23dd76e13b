import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { KINDS } from '../values/kinds/kinds';
import type { AppErrorClass } from '../errors/app-error';

/** Reads a 64-bit integer in plain decimal. */
export class Int64Pipe implements PipeTransform<string, bigint> {
  constructor(private readonly Missing: AppErrorClass) {}

  transform(value: string): bigint {
    const id = KINDS.int64.fromText(value);
    if (id === undefined) throw new this.Missing();
    return id;
  }
}

/**
 * Injects a path parameter that is a 64-bit integer in plain decimal, as `bigint`.
 *
 * @param Missing thrown for anything else: a text that is not an identifier identifies nothing
 */
export function Int64Param(name: string, Missing: AppErrorClass, description: string): ParameterDecorator {
  return (target, property, index) => {
    Param(name, new Int64Pipe(Missing))(target, property, index);
    const handler = Object.getOwnPropertyDescriptor(target, property as string) as PropertyDescriptor;
    ApiParam({ name, description, schema: { ...KINDS.int64.rule({}).schema, example: 1 } })(
      target,
      property as string,
      handler,
    );
  };
}
