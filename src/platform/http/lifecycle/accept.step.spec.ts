import express, { type Request } from 'express';
import { NotAcceptableError } from '../../errors/http-errors';
import { assertAcceptsJson } from './accept.step';

function judge(accept: string | undefined): () => void {
  const headers = accept === undefined ? {} : { accept };
  const request = Object.assign(Object.create(express.request) as Request, { headers });
  return () => assertAcceptsJson(request);
}

describe('assertAcceptsJson', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/*',
    'application/json',
    'Application/JSON',
    'application/json;q=0.001',
    'application/json; charset=utf-8',
    'text/html, */*;q=0.1',
    'text/html;q=1, application/json;q=0.2',
  ])('takes %s', (accept) => {
    expect(judge(accept)).not.toThrow();
  });

  it.each([
    'text/html',
    'text/*',
    'application/json;q=0',
    '*/*;q=0',
    'application/xml',
    'application/problem+json',
    'json',
    ';',
    'application/json/x',
  ])('refuses %s', (accept) => {
    expect(judge(accept)).toThrow(NotAcceptableError);
  });
});
