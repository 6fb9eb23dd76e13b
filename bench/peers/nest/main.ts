/**
 * Stock Nest with TypeORM, as the framework's own guides build it: the yardstick for "what we save".
 * Environment: PORT, DATABASE_URL (sqlite:<path>), BOOTSTRAP_API_KEY.
 */
import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  app.setGlobalPrefix('v1');
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
  app.enableShutdownHooks();
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}
void bootstrap();
