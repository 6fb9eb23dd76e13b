import { loadSettings, SettingsError } from './load-settings';

const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadSettings(env);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.faults;
  }
};

describe('A setting that is gone and made the service safer', () => {
  it.each(['true', '1', 'yes'])('ends the start instead of being passed over: READ_ONLY=%s', (value) => {
    expect(faultsOf({ READ_ONLY: value })).toEqual([expect.stringMatching(/^READ_ONLY .* read-only on"/)]);
  });

  it('ends the start where keys without an owner were to be refused', () => {
    expect(faultsOf({ KEY_OWNER_REQUIRED: 'true' })).toEqual([
      'KEY_OWNER_REQUIRED is not a setting, and has no effect. Remove KEY_OWNER_REQUIRED: a key need not have an owner, and "petstore keys list" shows which have none.',
    ]);
  });

  it.each(['', 'false'])('may be set to what it did nothing with: READ_ONLY=%s', (value) => {
    expect(faultsOf({ READ_ONLY: value })).toEqual([]);
  });

  it('is named beside other faults', () => {
    expect(faultsOf({ READ_ONLY: 'true', PORT: 'x' })).toHaveLength(2);
  });
});
