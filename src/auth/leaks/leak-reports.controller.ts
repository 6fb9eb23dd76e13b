import { hash } from 'node:crypto';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { actingAs } from '../../platform/audit/actor';
import { InjectSettings } from '../../platform/config/settings.module';
import type { Settings } from '../../platform/config/settings';
import { defineError } from '../../platform/errors/app-error';
import { InvalidBodyError, NotFoundError } from '../../platform/errors/http-errors';
import { OnManagementPort } from '../../platform/http/management/on-management-port.decorator';
import { receiveBody } from '../../platform/http/request/body-reader';
import { send } from '../../platform/http/response/response-writer';
import { InjectLogger, type Logger } from '../../platform/logging/logging.module';
import { RefusedKeys } from '../../platform/rate-limit/refused-keys';
import { Public } from '../../platform/security/access.decorators';
import { hashToken } from '../../platform/security/api-key-token';
import { clientAddress } from '../../platform/security/client-address';
import { isSigned } from '../../platform/security/report-signatures';
import { requestIdOf } from '../../platform/tracing/request-id';
import { readJson } from '../../platform/values/json-reader';
import { LeakedKeysService } from './leaked-keys.service';

/** Name in the audit log for disabling reported keys. */
const ACTOR = 'leak-report';

/** Characters that are stored of where a token was found. */
const FOUND_AT_LENGTH = 2_000;

const InvalidSignatureError = defineError({
  code: 'invalid_signature',
  status: 401,
  message: 'The report is not signed with one of the keys in LEAK_REPORT_PUBLIC_KEYS.',
  isForOperators: true,
});

/** One token that was found, as GitHub's secret scanning reports it. */
interface ReportedToken {
  readonly token: string;
  readonly type: string;
  /** Address at which it was found; may be empty. */
  readonly url: string;
  /** Kind of text it was found in, such as `content` or `commit`. */
  readonly source: string;
}

/** Answer about a reported token: a key of this service, or not. */
interface TokenFeedback {
  /** SHA-256, in lower-case hexadecimal. */
  readonly token_hash: string;
  readonly token_type: string;
  readonly label: 'true_positive' | 'false_positive';
}

/**
 * Takes reports of leaked keys in the format of GitHub's secret scanning, and disables those keys. The signature says who
 * reports, so no key is needed; without the setting the route does not exist.
 */
@OnManagementPort()
@Public()
@Controller('leak-reports')
export class LeakReportsController {
  constructor(
    @InjectSettings() private readonly settings: Settings,
    @InjectLogger() private readonly logger: Logger,
    private readonly refused: RefusedKeys,
    private readonly leaked: LeakedKeysService,
  ) {}

  @Post()
  async report(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { leakReportPublicKeys: file } = this.settings;
    if (file === undefined) throw new NotFoundError();
    const body = await receiveBody(request, response);
    await this.assertSigned(request, body, file);
    const actor = { name: ACTOR, requestId: requestIdOf(request), address: clientAddress(request) };
    // A report is named by its text: the signature of a text can be altered and stay valid.
    const name = hash('sha256', body, 'hex');
    const feedback: TokenFeedback[] = [];
    await actingAs(actor, async () => {
      for (const token of readLeakReport(body)) feedback.push(await this.disable(token, name));
    });
    send(request, response, 200, JSON.stringify(feedback), 'no-store');
  }

  /** @throws InvalidSignatureError, or RateLimitedError after too many */
  private async assertSigned(request: Request, body: Buffer, file: string): Promise<void> {
    const keyIdentifier = request.get('github-public-key-identifier') ?? '';
    const signature = request.get('github-public-key-signature') ?? '';
    if (await isSigned(body, { keyIdentifier, signature }, file)) return;
    await this.refused.count(request);
    throw new InvalidSignatureError();
  }

  private async disable({ token, type, url, source }: ReportedToken, report: string): Promise<TokenFeedback> {
    const foundAt = `${source} ${url}`.slice(0, FOUND_AT_LENGTH);
    const found = await this.leaked.disable(token, foundAt, report);
    if (found?.isDisabledNow) {
      this.logger.warn(
        { keyId: found.key.id, foundAt },
        'A leaked API key was reported and is now disabled.',
      );
    }
    return {
      token_hash: hashToken(token),
      token_type: type,
      label: found ? 'true_positive' : 'false_positive',
    };
  }
}

/**
 * Reads the body of a report.
 *
 * @throws InvalidJsonError, or InvalidBodyError when the body is not a report
 */
function readLeakReport(body: Buffer): ReportedToken[] {
  const entries = readJson(body);
  if (!Array.isArray(entries)) throw notAReport();
  return entries.map((entry: unknown) => {
    const { token, type, url = '', source = 'unknown' } = (entry ?? {}) as Record<string, unknown>;
    if (!isText(token) || !isText(type) || !isText(url) || !isText(source)) throw notAReport();
    return { token, type, url, source };
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function notAReport() {
  return new InvalidBodyError(
    'The body must be a JSON array of objects with the strings token, type, url and source.',
  );
}
