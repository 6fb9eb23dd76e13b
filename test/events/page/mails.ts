import { Injectable } from '@nestjs/common';

/** A mail as it leaves. */
interface Mail {
  readonly messageId: string;
  readonly text: string;
}

/** Keeps what is sent. */
@Injectable()
export class Mails {
  readonly sent: Mail[] = [];

  async send(mail: Mail): Promise<void> {
    this.sent.push(mail);
  }
}
