import {
  changedSettings,
  loadSettings,
  redactedSettings,
  SettingsError,
  settingsIn,
  withFeatureSettings,
} from './load-settings';
import type { SettingsDeclaration } from './setting';
import { integer, matching } from './setting-kinds';

describe('The settings of a feature', () => {
  const ORDERS = {
    ORDERS_PER_DAY: { kind: integer(1, 9), default: '3', description: 'Orders of a day.' },
    ORDERS_TOKEN: { kind: matching(/^\w+$/, 'a word'), description: 'A token.', secret: true },
  } satisfies SettingsDeclaration;
  const features = [{ owner: 'OrdersModule', settings: ORDERS }];

  it('are read and printed as those of the service', () => {
    const settings = loadSettings({ ORDERS_PER_DAY: '5', ORDERS_TOKEN: 's3cret' }, features);
    expect(settingsIn(settings, ORDERS)).toEqual({ ordersPerDay: 5, ordersToken: 's3cret' });
    expect(redactedSettings(settings).slice(-2)).toEqual([
      { name: 'ORDERS_PER_DAY', value: '5', source: 'environment', description: 'Orders of a day.' },
      { name: 'ORDERS_TOKEN', value: '[redacted]', source: 'environment', description: 'A token.' },
    ]);
    expect(settingsIn(loadSettings({}), ORDERS)).toEqual({ ordersPerDay: 3, ordersToken: undefined });
  });

  it('are refused together with those of the service, and by themselves', () => {
    const faults = 'ORDERS_PER_DAY must be an integer from 1 to 9.\nORDERS_TOKEN must be a word.';
    const environment = { ORDERS_PER_DAY: '10', ORDERS_TOKEN: '-' };
    expect(() => loadSettings({ ...environment, PORT: 'x' }, features)).toThrow(
      `PORT must be an integer from 0 to 65535.\n${faults}`,
    );
    expect(() => withFeatureSettings(loadSettings(environment), features)).toThrow(
      new SettingsError(faults.split('\n')),
    );
    expect(() => settingsIn(loadSettings(environment), ORDERS)).toThrow(
      new SettingsError(faults.split('\n')),
    );
  });

  it('are those of the same variables when a value of the service is replaced', () => {
    const copy = changedSettings(loadSettings({ ORDERS_PER_DAY: '7' }), { port: 1 });
    expect(copy.port).toBe(1);
    expect(settingsIn(copy, ORDERS).ordersPerDay).toBe(7);
  });
});
