import { Injectable } from '@nestjs/common';
import { petstore } from '../config/called-as';
import { HealthCheck, type HealthResult } from '../health/health-check';
import { ReadOnlyMode } from './read-only-mode';

/** Reports that writes are refused. The service is ready all the same: it serves reads. */
@Injectable()
export class ReadOnlyHealth extends HealthCheck {
  readonly name = 'readOnly';
  readonly isRequired = true;

  constructor(private readonly mode: ReadOnlyMode) {
    super();
  }

  check(): HealthResult | undefined {
    const { sentence } = this.mode;
    if (sentence === undefined) return undefined;
    const off = `${petstore()} read-only off`;
    const advice = `When writes may resume, run "${off}".`;
    return { status: 'ok', reason: sentence, advice, commands: [off] };
  }
}
