import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { defineError } from '@petstore/platform';

const CarrierAwayError = defineError({
  code: 'carrier_away',
  status: 503,
  message: 'The carrier does not answer at the moment.',
  headers: { 'Retry-After': '10' },
});

const TIME_LIMIT_MS = 1_000;
const ATTEMPTS = 3;

@Injectable()
export class Carrier {
  url = 'https://carrier.example';

  /** Books a parcel once for a key, however often it is asked. @throws CarrierAwayError */
  async book(key: string): Promise<string> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const response = await fetch(`${this.url}/parcels`, {
        method: 'POST',
        headers: { 'Idempotency-Key': key },
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
      }).catch(() => undefined);
      if (response?.ok) return response.text();
      await response?.body?.cancel();
      if (response && response.status < 500) throw new Error(`The carrier refused: ${response.status}.`);
      if (attempt < ATTEMPTS) await pause(Math.random() * 200 * 2 ** attempt);
    }
    throw new CarrierAwayError();
  }
}
