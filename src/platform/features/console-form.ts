import {
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request } from 'express';

/** Control of one field of a form, for `ui.field`. */
export interface ConsoleField {
  readonly name: string;
  /** Its name in words. */
  readonly label: string;
  /** The text typed into it. */
  readonly value?: string | null | undefined;
  /** The fault of the text, if any. */
  readonly error?: string | undefined;
}

/** The form of a page of the console: the fields of a DTO, with the texts typed into them. A template finds it as `it.form`. */
export interface ConsoleForm<Dto extends object> {
  readonly fields: readonly ConsoleField[];
  /** Sentences by the name of their field; that of the form as a whole has the empty name. For `ui.errorSummary`. */
  readonly faults: Readonly<Record<string, string>>;
  /** HTTP status of the page that shows it. */
  readonly status: number;
  /**
   * Carries the form out once, however often it is sent, in one transaction with its event in the audit log. The event is named
   * after the page, `orders.dispatch`, and has the values.
   *
   * @param work gets the values, by the rules of the DTO
   * @throws AppError if a field is at fault, the form was carried out before, or the service is read-only
   */
  once<Result>(work: (values: Dto) => Promise<Result>): Promise<Result>;
  /**
   * The same form with the reason why it was not carried out, for its page to show again.
   *
   * @throws the error if it is not about what was typed
   */
  refused(error: unknown): ConsoleForm<Dto>;
}

/** Makes the forms of pages: the console, looked up as its door is. */
export abstract class ConsoleForms {
  /** The form of a request, with the texts that were sent. */
  abstract of<Dto extends object>(dto: Type<Dto>, request: Request): Promise<ConsoleForm<Dto>>;
}

/** A form as it is asked for. */
interface WantedForm {
  readonly dto: Type<object>;
  readonly request: Request;
}

/** Makes the form that a handler wants. */
@Injectable()
class FormPipe implements PipeTransform<WantedForm> {
  constructor(private readonly moduleRef: ModuleRef) {}

  transform({ dto, request }: WantedForm): Promise<ConsoleForm<object>> {
    return this.moduleRef.get(ConsoleForms, { strict: false }).of(dto, request);
  }
}

const wantedForm = createParamDecorator((dto: Type<object>, context: ExecutionContext): WantedForm => ({
  dto,
  request: context.switchToHttp().getRequest<Request>(),
}));

/**
 * Gives a handler of the console the {@link ConsoleForm} of its page.
 *
 * @param dto the fields, declared as those of a body
 */
export function FormOf(dto: Type<object>): ParameterDecorator {
  return wantedForm(dto, FormPipe);
}
