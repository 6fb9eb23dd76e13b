import { Injectable, type RawBodyRequest } from '@nestjs/common';
import { allowContinue } from '../connections/wire-errors';
import { bodyMediaTypes } from '../operations/media-types';
import { admitForm, mediaTypeOf, receiveBody } from '../request/body-reader';
import type { Exchange } from '../exchange/exchange';
import { readJson } from '../../values/json-reader';
import type { Operation } from '../operations/operation';
import type { Step } from './step';

/** Receives the body and reads it as JSON. Leaves a form to its interceptor, and any undeclared body to the handler. */
@Injectable()
export class BodyStep implements Step {
  appliesTo({ hasBody, hasForm, response }: Operation): boolean {
    return hasBody || hasForm || response === undefined;
  }

  run(exchange: Exchange): void | Promise<void> {
    const { request, response, operation } = exchange;
    if (operation?.hasBody) return readBody(exchange, operation);
    if (operation?.hasForm) admitForm(request, response);
    else allowContinue(request, response);
  }
}

async function readBody(exchange: Exchange, { isIdempotent, rawBody }: Operation): Promise<void> {
  const { request, response } = exchange;
  const accepted = bodyMediaTypes(request.method);
  const bytes = await receiveBody(request, response, rawBody ?? accepted);
  if (rawBody) (request as RawBodyRequest<typeof request>).rawBody = bytes;
  if (!rawBody || accepted.includes(mediaTypeOf(request))) request.body = readJson(bytes);
  if (isIdempotent) exchange.bodyBytes = bytes;
}
