import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PetCreated } from '@petstore/platform/pets';
import { type DeliveryAttempt, OnEvent } from '@petstore/platform';

@Injectable()
export class PetWebhook {
  url = 'https://shop.example/webhooks';
  secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

  @OnEvent(PetCreated, { delivery: 'durable', retryHours: 72 })
  async send({ pet }: PetCreated, { id }: DeliveryAttempt): Promise<void> {
    const body = JSON.stringify({ type: 'pet.created', data: { id: String(pet.id), name: pet.name } });
    const sentAt = String(Math.floor(Date.now() / 1_000));
    const key = Buffer.from(this.secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest('base64');
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': sentAt,
        'webhook-signature': `v1,${signature}`,
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(15_000),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The webhook was answered with ${response.status}.`);
  }
}
