import { Module } from '@nestjs/common';
import { AuthModule } from './auth/auth.module';
import { PetsModule } from './pets/pets.module';

@Module({ imports: [AuthModule, PetsModule] })
export class AppModule {}
