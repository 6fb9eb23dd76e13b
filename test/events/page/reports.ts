import { Injectable } from '@nestjs/common';
import { Scheduled } from '@petstore/platform';
import { Mails } from './mails';

@Injectable()
export class Reports {
  constructor(private readonly mails: Mails) {}

  @Scheduled('0 3 1 * *', { timeZone: 'Europe/Berlin' })
  async sendMonthly(): Promise<void> {
    await this.mails.send({ messageId: 'report', text: 'What was sold.' });
  }
}
