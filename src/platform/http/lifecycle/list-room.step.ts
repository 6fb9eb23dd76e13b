import { Injectable } from '@nestjs/common';
import type { Exchange } from '../exchange/exchange';
import type { Operation } from '../operations/operation';
import { ListRoom } from '../response/list-room';
import type { Step } from './step';

/** Makes a list wait until there is room for it, before its page is read. */
@Injectable()
export class ListRoomStep implements Step {
  constructor(private readonly room: ListRoom) {}

  appliesTo({ response }: Operation): boolean {
    return response?.kind === 'page';
  }

  run(exchange: Exchange): void | Promise<void> {
    return this.room.enter(exchange);
  }
}
