import { Injectable } from '@nestjs/common';
import type { AdminRecords } from '../platform/features/admin-records';
import { InjectAdminRecords } from '../platform/features/admin-records.module';
import { OperationRegistry } from '../platform/http/operations/operation-registry';
import { isStorableText, TEXT_RULE } from '../platform/values/kinds/text.kind';
import { UnfitApiKeyError } from './api-keys.errors';
import { adminScopes } from './auth.scopes';
import type { NewApiKey } from './dto/new-api-key';

/** Checks that hold for every key, new or changed. */
@Injectable()
export class KeyRequirements {
  constructor(
    private readonly registry: OperationRegistry,
    @InjectAdminRecords() private readonly records: readonly AdminRecords[],
  ) {}

  /** Every scope a key can have: those of the routes and those of the admin tooling. */
  get knownScopes(): string[] {
    return [...new Set([...this.registry.scopes, ...adminScopes(this.records)])].sort();
  }

  /**
   * @throws UnfitApiKeyError when a text cannot be stored, the name is empty, a scope unknown or the expiry past; members that are not given are not
   * checked
   */
  assertMet({ name, owner, scopes, expiresAt }: Partial<NewApiKey>): void {
    assertStorable('name', name);
    assertStorable('owner', owner);
    if (name?.trim() === '') throw new UnfitApiKeyError('name', 'An API key needs a name.');
    if (scopes?.length === 0) throw new UnfitApiKeyError('scopes', 'An API key needs at least one scope.');
    const unknown = scopes?.find((scope) => !this.knownScopes.includes(scope));
    if (unknown !== undefined) {
      const known = this.knownScopes.join(', ');
      throw new UnfitApiKeyError('scopes', `The scope ${unknown} does not exist; the scopes are ${known}.`);
    }
    if (expiresAt && expiresAt.getTime() <= Date.now()) {
      throw new UnfitApiKeyError('expiresAt', 'The expiry is in the past.');
    }
  }
}

function assertStorable(member: 'name' | 'owner', text: string | null | undefined): void {
  if (text && !isStorableText(text)) throw new UnfitApiKeyError(member, `The ${member} ${TEXT_RULE}.`);
}
