import { AbstractLogger } from 'typeorm';

/**
 * Says nothing. TypeORM would print failed migrations and warnings to the standard output, which holds the data of
 * commands; what fails is thrown as well.
 */
export class QuietLogger extends AbstractLogger {
  protected writeLog(): void {}
}
