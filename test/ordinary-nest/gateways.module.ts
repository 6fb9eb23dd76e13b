import type { Server } from 'node:http';
import { Readable } from 'node:stream';
import {
  type ArgumentsHost,
  BadRequestException,
  Catch,
  type ExceptionFilter,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type OnModuleInit,
  type Type,
  UseFilters,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import {
  AbstractGraphQLDriver,
  Args,
  GraphQLModule,
  Mutation,
  Query,
  Resolver,
  Subscription,
} from '@nestjs/graphql';
import {
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
  WsException,
} from '@nestjs/websockets';
import { IsInt } from 'class-validator';
import { type Express, raw, type Request, type Response } from 'express';
import { graphql, GraphQLError, type GraphQLSchema, parse, subscribe } from 'graphql';
import { Public, RequireScopes } from '../../src/platform/security/access.decorators';
import { Caller } from '../../src/platform/security/caller.decorator';
import { CLIENT, currentOwner } from '../../src/platform/security/owner';
import type { Principal } from '../../src/platform/security/principal';

class CountDto {
  @IsInt()
  count!: number;
}

class BrokenHornError extends Error {}

@Catch(BrokenHornError)
class HornFilter implements ExceptionFilter {
  catch(_error: BrokenHornError, host: ArgumentsHost): void {
    const client = host.switchToWs().getClient<{ readyState?: number; emit: (...p: unknown[]) => void }>();
    if (client.readyState === undefined) client.emit('exception', { horn: 'broken' });
  }
}

/** As Nest's page on gateways writes one, but that each message says who may send it. */
@WebSocketGateway()
class ChatGateway {
  @Public()
  @SubscribeMessage('hello')
  hello(@MessageBody() name: string, @Caller() caller?: Principal): object {
    return { event: 'hello', data: { name, caller: caller?.keyId ?? null } };
  }

  @RequireScopes('chat:read')
  @SubscribeMessage('whoami')
  whoami(@Caller() caller: Principal): object {
    return { event: 'whoami', data: { keyId: caller.keyId, rowsOf: currentOwner(CLIENT, 'chats') } };
  }

  @RequireScopes('chat:write')
  @SubscribeMessage('write')
  write(@MessageBody() { count }: CountDto, @ConnectedSocket() _client: unknown): object {
    return { event: 'write', data: { count: count + 1 } };
  }

  @RequireScopes('chat:read')
  @SubscribeMessage('refused')
  refused(): never {
    throw new WsException('The channel is full.');
  }

  @RequireScopes('chat:read')
  @SubscribeMessage('invalid')
  invalid(): never {
    throw new BadRequestException('The channel has no name.');
  }

  @RequireScopes('chat:read')
  @SubscribeMessage('fault')
  fault(): never {
    throw new Error('secret');
  }

  @RequireScopes('chat:read')
  @UseFilters(HornFilter)
  @SubscribeMessage('horn')
  horn(): never {
    throw new BrokenHornError();
  }
}

@Module({ providers: [ChatGateway] })
export class ChatModule {}

@WebSocketGateway()
class OpenGateway {
  @SubscribeMessage('open')
  open(): void {}
}

@Module({ providers: [OpenGateway] })
export class OpenGatewayModule {}

@Resolver()
class ChatResolver {
  @Public()
  @Query(() => String)
  hello(): string {
    return 'hello';
  }

  @RequireScopes('chat:read')
  @Query(() => String)
  whoami(@Caller() caller: Principal): string {
    return `${caller.keyId} ${currentOwner(CLIENT, 'chats')}`;
  }

  @RequireScopes('chat:write')
  @Mutation(() => String)
  say(@Args('text') text: string): string {
    return text;
  }

  @RequireScopes('chat:read')
  @Query(() => String)
  fault(): never {
    throw new Error('secret');
  }

  @RequireScopes('chat:read')
  @Query(() => String)
  own(): never {
    throw new GraphQLError('The channel is full.', { extensions: { code: 'CHANNEL_FULL' } });
  }
}

/** A subscription as Nest's page on these has it. */
@Resolver()
class ChangesResolver {
  @RequireScopes('chat:read')
  @Subscription(() => String, {
    resolve: ({ changes }: { changes: string }) => `${changes}, for ${currentOwner(CLIENT, 'chats')}`,
  })
  changes(): AsyncIterator<{ changes: string }> {
    const owner = currentOwner(CLIENT, 'chats');
    return Readable.from([{ changes: `a chat of ${owner}` }])[Symbol.asyncIterator]();
  }
}

@Resolver()
class OpenResolver {
  @Query(() => String)
  open(): string {
    return 'open';
  }
}

/** A driver as Nest's page on others has it: it mounts its handler where Apollo's does, at the instance of Express. */
@Injectable()
class PlainDriver extends AbstractGraphQLDriver {
  start({ path = '/graphql', schema }: { path?: string; schema?: never }): Promise<void> {
    const { httpAdapter } = this.httpAdapterHost;
    httpAdapter
      .getInstance<{ use: (...parameters: unknown[]) => void }>()
      .use(path, (req: Request<unknown, unknown, { query: string }>, res: Response) => {
        const contextValue = { req, res };
        void graphql({ schema: schema as never, source: req.body.query, contextValue }).then((result) =>
          res.json(result),
        );
      });
    return Promise.resolve();
  }

  async stop(): Promise<void> {}
}

/** A driver whose queries come by a connection that lasts, as those of subscriptions do: each chunk is one. */
@Injectable()
class LastingDriver extends AbstractGraphQLDriver {
  start({ schema }: { schema?: never }): Promise<void> {
    const server = this.httpAdapterHost.httpAdapter.getHttpServer() as Server;
    server.on('upgrade', (request, socket) => {
      const contextValue = { extra: { request } };
      socket.on('error', () => socket.destroy());
      socket.on('data', (query) => {
        const source = String(query);
        const tell = (result: unknown) => void socket.write(JSON.stringify(result));
        if (source.startsWith('subscription')) void tellEach(schema as never, source, contextValue, tell);
        else void graphql({ schema: schema as never, source, contextValue }).then(tell);
      });
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    });
    return Promise.resolve();
  }

  async stop(): Promise<void> {}
}

/** Tells the results of a subscription as they come. */
async function tellEach(
  schema: GraphQLSchema,
  source: string,
  contextValue: unknown,
  tell: (result: unknown) => void,
): Promise<void> {
  const results = await subscribe({ schema, document: parse(source), contextValue });
  if (Symbol.asyncIterator in results) for await (const result of results) tell(result);
  else tell(results);
}

function graphqlModule(driver: Type<AbstractGraphQLDriver>, ...resolvers: Type[]): Type {
  @Module({
    imports: [GraphQLModule.forRoot({ driver, autoSchemaFile: true })],
    providers: resolvers,
  })
  class QueriesModule {}
  return QueriesModule;
}

export const QueriesModule = graphqlModule(PlainDriver, ChatResolver);
export const LastingQueriesModule = graphqlModule(LastingDriver, ChatResolver, ChangesResolver);
export const OpenQueriesModule = graphqlModule(PlainDriver, OpenResolver);

/** Sends back what it reads, as a proxy would read it. */
function relay(request: Request, response: Response): void {
  request.pipe(response);
}

/** Mounts what reads bodies by itself, at the instance of Express. */
@Injectable()
class BodyReaders implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const instance = this.host.httpAdapter.getInstance<Express>();
    instance.use('/proxied', relay);
    instance.use('/hooks', raw({ type: 'application/json' }), ({ body }: Request, response: Response) => {
      response.json({ hasBytes: Buffer.isBuffer(body), text: String(body) });
    });
  }
}

@Module({ providers: [BodyReaders] })
export class OwnBodiesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(relay).forRoutes('/relayed');
  }
}
