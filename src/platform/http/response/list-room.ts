import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { OverloadedError, RateLimitedError } from '../../errors/http-errors';
import type { AppError } from '../../errors/app-error';
import { UNREAD_LIMITS, UnreadResponses } from '../connections/unread-responses';
import type { Exchange } from '../exchange/exchange';
import { DEFAULT_LIMIT } from '../request/default-limit';
import type { ClientLists, ListUnderWay } from '../exchange/list-under-way';

const MIB = 1024 * 1024;

/** Maximum bytes of all lists that are being read and written; a single one may be larger. */
const MAKING_BYTES = 16 * MIB;

/** Maximum number of lists at once, even of small ones: about as many as keep the connections of a database busy. */
const MAKING_LISTS = 32;

/** Bytes of lists after which the event loop turns before the next. */
const TURN_BYTES = MIB;

/** Most of the room for responses that one client may have. */
const CLIENT_BYTES = UNREAD_LIMITS.maxBytes / 2;

/** Expected size from which on a list counts as large, in bytes. */
const LARGE = 256 * 1024;

/** Expected bytes of a row for a client that asks for its first list: almost the largest that a row has. */
const UNKNOWN_ROW = 80 * 1024;

/** Rows after which the expected size of a row has come two thirds of the way to that of the latest ones. */
const FORGOTTEN_AFTER = 800;

/** Most large lists of one client, and of all, that may wait, and their longest wait in milliseconds. */
const CLIENT_WAITING = 8;
const ALL_WAITING = 64;
const WAIT_MS = 2_000;

/** Most clients whose lists are remembered. */
const CLIENTS = 4_096;

const tooManyOfClient = () =>
  new RateLimitedError({
    message: 'Too many large responses to this API key are under way; read them before asking for more.',
    headers: { 'Retry-After': '1' },
  });
const tooManyOfAll = () =>
  new OverloadedError({ message: 'Too many large responses are under way; try again shortly.' });

/** A list whose page is not read yet. */
interface WaitingList {
  readonly exchange: Exchange;
  readonly client: ClientLists;
  /** Most rows that the list may have. */
  readonly limit: number;
  readonly timer: NodeJS.Timeout;
  begin(): void;
}

/**
 * Decides when the page of a list may be read. Its size is not known before, so its rows are taken to be as large as the last
 * ones that the client got: a client that asks for large lists gets them one after the other, with a turn of the event loop in
 * between, and is refused while it has half of the room for responses.
 */
@Injectable()
export class ListRoom {
  private readonly clients = new LRUCache<string, ClientLists>({ max: CLIENTS });
  private readonly waiting = new Set<WaitingList>();
  private lists = 0;
  private making = 0;
  private madeInTurn = 0;
  private willPump = false;

  constructor(private readonly unread: UnreadResponses) {}

  /**
   * Lets a list begin, at once or when there is room.
   *
   * @throws RateLimitedError or OverloadedError when there is no room, nor will be soon
   */
  enter(exchange: Exchange): void | Promise<void> {
    const client = this.clientOf(exchange);
    const limit = limitOf(exchange);
    const expected = expectedOf(client, limit);
    if (client.waiting === 0 && this.mayBegin(client, expected)) {
      this.begin(exchange, client, expected);
      return;
    }
    // Those of a new client wait, whatever their number: most lists are small, and the first of them says so soon.
    if (client.isKnown && expected > LARGE) {
      if (client.waiting >= CLIENT_WAITING) throw tooManyOfClient();
      if (this.waiting.size >= ALL_WAITING) throw tooManyOfAll();
    }
    return this.wait(exchange, client, limit);
  }

  /** Notes the size of a list; to be called when the list has been written. */
  made(exchange: Exchange, rows: number, bytes: number): void {
    const { list } = exchange;
    if (!list) return;
    this.finish(list, bytes);
    const { client } = list;
    const bytesPerRow = bytes / Math.max(rows, 1);
    const less = client.isKnown ? client.bytesPerRow - bytesPerRow : 0;
    // Small rows among large ones say little: those that follow may be any.
    client.bytesPerRow =
      less > 0 ? client.bytesPerRow - less * Math.min(rows / FORGOTTEN_AFTER, 1) : bytesPerRow;
    client.isKnown = true;
    if (bytes <= LARGE) return;
    this.madeInTurn += bytes;
    this.pumpSoon();
  }

  private clientOf({ principal }: Exchange): ClientLists {
    const name = principal?.keyId ?? '';
    let client = this.clients.get(name);
    if (!client) {
      client = { bytesPerRow: UNKNOWN_ROW, isKnown: false, underWay: 0, waiting: 0 };
      this.clients.set(name, client);
    }
    return client;
  }

  private mayBegin(client: ClientLists, expected: number): boolean {
    return this.hasTurn(expected) && this.refusal(client, expected) === undefined;
  }

  private hasTurn(expected: number): boolean {
    if (this.lists === 0) return this.madeInTurn < TURN_BYTES;
    return (
      this.lists < MAKING_LISTS &&
      this.making + Math.min(expected, MAKING_BYTES / 2) <= MAKING_BYTES &&
      (this.madeInTurn < TURN_BYTES || expected <= LARGE)
    );
  }

  /** The error of a client whose list would find no room for its response now. */
  private refusal({ isKnown, underWay }: ClientLists, expected: number): AppError | undefined {
    if (expected <= LARGE) return undefined;
    // Most lists are small. A large one of a new client is refused once it is written, and such lists are made one at a time.
    if (!isKnown && this.lists === 0) return undefined;
    if (underWay > 0 && underWay + expected > CLIENT_BYTES) return tooManyOfClient();
    return this.unread.hasRoomFor(this.making + expected) ? undefined : tooManyOfAll();
  }

  private begin(exchange: Exchange, client: ClientLists, bytes: number): void {
    const list = { client, bytes, isMade: false };
    exchange.list = list;
    this.lists += 1;
    this.making += list.bytes;
    client.underWay += list.bytes;
    exchange.response.on('close', () => this.close(list));
  }

  /** The list takes the room of a response now, not that of the work. */
  private finish(list: ListUnderWay, bytes: number): void {
    // Its connection may close before it is written, and closes after it.
    if (list.isMade) return;
    this.lists -= 1;
    this.making -= list.bytes;
    list.client.underWay += bytes - list.bytes;
    list.bytes = bytes;
    list.isMade = true;
    if (this.waiting.size > 0) this.pumpSoon();
  }

  private close(list: ListUnderWay): void {
    this.finish(list, 0);
    list.client.underWay -= list.bytes;
    if (this.waiting.size > 0) this.pumpSoon();
  }

  private wait(exchange: Exchange, client: ClientLists, limit: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.leave(list);
      const isOfClient = client.isKnown && (client.underWay > 0 || client.waiting > 0);
      // A small list waits only for others, for example while the database hangs.
      if (expectedOf(client, limit) <= LARGE) reject(new OverloadedError());
      else reject(isOfClient ? tooManyOfClient() : tooManyOfAll());
    }, WAIT_MS).unref();
    const list = { exchange, client, limit, timer, begin: resolve };
    this.waiting.add(list);
    client.waiting += 1;
    this.pumpSoon();
    return promise;
  }

  private leave(list: WaitingList): void {
    clearTimeout(list.timer);
    this.waiting.delete(list);
    list.client.waiting -= 1;
  }

  /** Lets those that wait begin as far as there is room, when the event loop has turned. */
  private pumpSoon(): void {
    if (this.willPump) return;
    this.willPump = true;
    setImmediate(() => {
      this.willPump = false;
      this.madeInTurn = 0;
      this.pump();
    });
  }

  private pump(): void {
    for (const list of this.waiting) {
      const { exchange, client } = list;
      const expected = expectedOf(client, list.limit);
      if (exchange.response.destroyed) this.leave(list);
      else if (this.mayBegin(client, expected)) {
        this.leave(list);
        this.begin(exchange, client, expected);
        list.begin();
      }
    }
  }
}

/** Returns the most rows that a list may have. A value that is no such number is refused later. */
function limitOf({ parameters }: Exchange): number {
  const limit = Number(parameters['limit']);
  return limit > 0 ? limit : DEFAULT_LIMIT;
}

/** Returns the expected size of a list, in bytes: never more than is allowed for all lists that are being made. */
function expectedOf({ bytesPerRow }: ClientLists, limit: number): number {
  return Math.min(limit * bytesPerRow, MAKING_BYTES);
}
