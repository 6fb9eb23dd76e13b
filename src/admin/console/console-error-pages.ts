import { STATUS_CODES } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AppError } from '../../platform/errors/app-error';
import { ErrorFilter, type ErrorPages } from '../../platform/errors/error.filter';
import { ComposedAnswer } from '../../platform/http/composed-answer';
import { requestIdOf } from '../../platform/http/request-id';
import { ConsoleRenderer } from './console-renderer';
import { page } from './page';
import { PAGE_HEADERS } from './page-headers';
import { Visit } from './visit';

/** What errors are called on a page. */
const TITLES: Readonly<Record<number, string>> = {
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Page not found',
  409: 'Not carried out',
  413: 'Too large',
  421: 'Unknown name',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Not available',
};

/** Sentences that say more to people at a browser than those for programs. */
const SENTENCES: Readonly<Record<string, string>> = {
  not_found: 'There is no such page, or what it was about has been removed.',
  internal_error: 'The fault is on our side and has been logged. Nothing is known to have been changed.',
};

/** Shows errors below `/admin` as pages. */
@Injectable()
export class ConsoleErrorPages implements ErrorPages, OnModuleInit {
  constructor(
    private readonly renderer: ConsoleRenderer,
    private readonly errors: ErrorFilter,
  ) {}

  onModuleInit(): void {
    this.errors.showWith(this);
  }

  isFor({ listener, originalUrl }: Request): boolean {
    return listener === 'management' && /^\/admin(?:[/?]|$)/.test(originalUrl);
  }

  send(error: AppError, request: Request, response: Response): void {
    const { status, code } = error;
    const title = TITLES[status] ?? STATUS_CODES[status] ?? 'Error';
    const data = { status, sentence: SENTENCES[code] ?? error.message };
    const visit = request.visit ?? new Visit(request);
    const body = this.renderer.page(page('/layout/error', { title, data }), {
      visit,
      requestId: requestIdOf(request),
    });
    new ComposedAnswer(status, { ...PAGE_HEADERS, ...error.headers }, body).send(request, response);
  }
}
