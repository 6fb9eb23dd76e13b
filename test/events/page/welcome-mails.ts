import { Injectable } from '@nestjs/common';
import { PetCreated } from '@petstore/platform/pets';
import { type DeliveryAttempt, OnEvent } from '@petstore/platform';
import { Mails } from './mails';

@Injectable()
export class WelcomeMails {
  constructor(private readonly mails: Mails) {}

  @OnEvent(PetCreated, { delivery: 'durable' })
  async send({ pet }: PetCreated, { id }: DeliveryAttempt): Promise<void> {
    // A repeat is recognised by its id.
    await this.mails.send({ messageId: id, text: `Welcome, ${pet.name}!` });
  }
}
