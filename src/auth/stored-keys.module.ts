import { Module } from '@nestjs/common';
import { ApiKeysRepository } from './api-keys.repository';
import { KeyCache } from './key-cache';
import { KeyChanges } from './key-changes';

const STORED = [ApiKeysRepository, KeyCache, KeyChanges];

/** Stored API keys and their changes, for the modules of this folder; others have what `KeysModule` exports. */
@Module({ providers: STORED, exports: STORED })
export class StoredKeysModule {}
