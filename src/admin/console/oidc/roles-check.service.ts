import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ApiKeysService } from '../../../auth/api-keys.service';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';

/** Refuses to start if OIDC_ROLES names scopes that no module declares: a typo would silently take rights from people. */
@Injectable()
export class RolesCheck implements OnApplicationBootstrap {
  constructor(
    @InjectSettings() private readonly settings: Settings,
    private readonly keys: ApiKeysService,
  ) {}

  /** @throws Error with one sentence about the first unknown scope */
  onApplicationBootstrap(): void {
    const named = this.settings.oidcRoles?.flatMap(({ scopes }) => scopes) ?? [];
    const unknown = named.find((scope) => !this.keys.knownScopes.includes(scope));
    if (unknown !== undefined) {
      throw new Error(
        `OIDC_ROLES contains the unknown scope ${unknown}; the scopes are ${this.keys.knownScopes.join(', ')}.`,
      );
    }
  }
}
