import { Injectable } from '@nestjs/common';
import { Scheduled } from '../../../src/platform/jobs/scheduled.decorator';
import { Mails } from './mails';

@Injectable()
export class Reports {
  constructor(private readonly mails: Mails) {}

  @Scheduled('0 3 1 * *', { timeZone: 'Europe/Berlin' })
  async sendMonthly(): Promise<void> {
    await this.mails.send({ messageId: 'report', text: 'What was sold.' });
  }
}
