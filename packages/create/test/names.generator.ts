import { readFeatureName } from '../src/feature/names.ts';

describe('The name of a feature', () => {
  it.each(['status-changes', 'status-change', 'statusChange', 'StatusChanges', 'status_change'])(
    'is understood as %s',
    (text) => {
      expect(readFeatureName(text)).toEqual({
        singular: {
          kebab: 'status-change',
          snake: 'status_change',
          camel: 'statusChange',
          pascal: 'StatusChange',
          words: 'status change',
        },
        plural: {
          kebab: 'status-changes',
          snake: 'status_changes',
          camel: 'statusChanges',
          pascal: 'StatusChanges',
          words: 'status changes',
        },
        table: 'status_changes',
        listSchema: 'StatusChanges',
        idParameter: 'statusChangeId',
        errorPrefix: 'status_change',
        withArticle: 'a status change',
      });
    },
  );

  it.each([
    ['orders', 'order', 'orders'],
    ['Order', 'order', 'orders'],
    ['categories', 'category', 'categories'],
    ['people', 'person', 'people'],
    ['person', 'person', 'people'],
    ['addresses', 'address', 'addresses'],
    ['status', 'status', 'statuses'],
    ['data-sheets', 'data-sheet', 'data-sheets'],
    ['caches', 'cache', 'caches'],
    ['cookie', 'cookie', 'cookies'],
    ['HTTPLogs', 'http-log', 'http-logs'],
    ['oauth2Clients', 'oauth2-client', 'oauth2-clients'],
  ])('has a singular and a plural: %s gives %s and %s', (text, one, many) => {
    const { singular, plural } = readFeatureName(text);
    expect([singular.kebab, plural.kebab]).toEqual([one, many]);
  });

  it.each(['sheep', 'equipment', 'news'])(
    'gets another name for the list when it is its own plural: %s',
    (text) => {
      const { singular, plural, listSchema } = readFeatureName(text);
      expect(singular).toEqual(plural);
      expect(listSchema).toBe(`${singular.pascal}List`);
    },
  );

  it.each([
    ['orders', 'an order'],
    ['users', 'a user'],
    ['units', 'a unit'],
    ['updates', 'an update'],
    ['hours', 'an hour'],
    ['houses', 'a house'],
    ['one-time-codes', 'a one time code'],
    ['uninvited-guests', 'an uninvited guest'],
  ])('gets its article by its sound: %s gives %s', (text, expected) => {
    expect(readFeatureName(text).withArticle).toBe(expected);
  });

  it.each([
    '',
    '1orders',
    'or ders',
    '../x',
    'ördérs',
    '-orders',
    'orders-',
    'status--changes',
    'order-2',
    'a\nb',
  ])('cannot be %j', (text) => {
    expect(() => readFeatureName(text)).toThrow(
      `${JSON.stringify(text)} cannot name a feature: use words of letters and digits`,
    );
  });

  it.each([
    ['platform', 'platform'],
    ['Platforms', 'platform'],
    ['auth', 'auth'],
    ['health', 'health'],
    ['docs', 'docs'],
    ['doc', 'docs'],
    ['key', 'keys'],
    ['reports', 'report'],
    ['DB', 'db'],
    ['session', 'sessions'],
    ['admins', 'admin'],
    ['indices', 'index'],
    ['tests', 'test'],
  ])('cannot be %s, because the service itself has %s', (text, reserved) => {
    expect(() => readFeatureName(text)).toThrow(
      `"${reserved}" is reserved by the service; choose another name.`,
    );
  });

  it.each([
    ['classes', 'class'],
    ['packages', 'package'],
    ['new', 'new'],
    ['awaits', 'await'],
  ])('cannot be %s, because %s is a word of TypeScript', (text, word) => {
    expect(() => readFeatureName(text)).toThrow(
      `"${text}" cannot name a feature: ${word} is a reserved word of TypeScript.`,
    );
  });

  it('can come with a plural of its own, and is then the singular', () => {
    const { singular, plural, table, listSchema } = readFeatureName('welcomeMail', 'WelcomeMails');
    expect([singular.kebab, plural.kebab, table, listSchema]).toEqual([
      'welcome-mail',
      'welcome-mails',
      'welcome_mails',
      'WelcomeMails',
    ]);
    expect(readFeatureName('data', 'data').listSchema).toBe('DataList');
  });

  it.each([
    ['mail', '1mails', '"1mails" cannot be a plural: use words of letters and digits'],
    ['1mail', 'mails', '"1mail" cannot name a feature: use words of letters and digits'],
    ['mail', 'keys', '"keys" is reserved by the service; choose another name.'],
  ])('cannot have the plural: %s, %s', (text, plural, message) => {
    expect(() => readFeatureName(text, plural)).toThrow(message);
  });
});
