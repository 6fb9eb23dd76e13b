import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectSettings } from '../../config/settings.module';
import type { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import { PoolQueue } from '../../database/statements/pool-queue';
import { poolOf, poolWaitMs } from '../../database/driver/data-source';
import { OverloadedError } from '../../errors/http-errors';
import { addressBlock, clientAddress } from '../../security/client-address';
import { Metrics } from '../../telemetry/metrics';
import { isCrowded } from '../connections/open-connections';
import type { Exchange } from '../exchange/exchange';
import { sendError } from '../exchange/error-response';
import { Shares } from './shares';
import type { Step } from './step';

/** Longest wait for a connection, as a part of the one after which a request would get 503 anyway. */
const PART_OF_WAIT = 1 / 5;

/** Multiple of that wait up to which callers with no more than their share are spared. */
const SPARED = 1.25;

/** The health pages, also where a client writes the whole URL. */
const HEALTH = /^(?:https?:\/\/[^/]*)?\/health(?:[/?]|$)/i;

const OVERLOADED = new OverloadedError();
const CROWDED = new OverloadedError({ headers: { Connection: 'close' } });

/**
 * Refuses requests that would wait too long for the database, first those of callers that have the most under way; on the
 * management port those that would take the last connections, which are kept for health.
 */
@Injectable()
export class OverloadStep implements Step, OnModuleInit {
  private queue: PoolQueue | undefined;
  private readonly addresses = new Shares();
  private readonly authorizations = new Shares();

  constructor(
    @InjectSettings() private readonly settings: Settings,
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { database, settings } = this;
    if (database.engine !== 'postgres') return;
    this.queue = new PoolQueue(poolOf(database.dataSource), poolWaitMs(settings) * PART_OF_WAIT);
  }

  run(exchange: Exchange): void {
    const { request, response } = exchange;
    if (exchange.listener === 'management') {
      if (isCrowded(request) && !HEALTH.test(request.url)) throw CROWDED;
      return;
    }
    const pressure = this.queue?.pressure(performance.now(), this.addresses.total);
    if (pressure === undefined || HEALTH.test(request.url)) return;
    const address = addressBlock(clientAddress(request));
    const authorization = request.headers.authorization ?? '';
    const isGreedy = this.addresses.isGreedy(address) || this.authorizations.isGreedy(authorization);
    if (pressure > (isGreedy ? 1 : SPARED)) {
      this.metrics.requestsShed.add('database');
      exchange.isShed = true;
      sendError(request, response, OVERLOADED);
      return;
    }
    this.addresses.add(address);
    this.authorizations.add(authorization);
    response.on('close', () => {
      this.addresses.remove(address);
      this.authorizations.remove(authorization);
    });
  }
}
