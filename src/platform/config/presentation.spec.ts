import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../test/support/folders';
import { rememberService } from './package-version';
import { accentStyle, presentation } from './presentation';

/** Makes a service with this member in its `package.json` the one of the process; returns its folder. */
function presentAs(petstore: object | undefined): string {
  const folder = makeFolder();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', petstore }));
  writeFileSync(join(folder, 'logo.svg'), '<svg/>');
  writeFileSync(join(folder, 'main.js'), '');
  rememberService(join(folder, 'main.js'));
  return folder;
}

describe('The presentation of a service', () => {
  it('is that of the platform where its package.json says nothing', () => {
    presentAs(undefined);
    expect(presentation()).toEqual({
      title: 'Petstore',
      description: 'The petstore service, over HTTP and JSON.',
      logo: undefined,
      color: undefined,
    });
    expect(accentStyle()).toBe('');
  });

  it('is what its package.json says', () => {
    const folder = presentAs({
      title: 'Shop',
      description: 'Orders.',
      logo: 'logo.svg',
      color: '#0b7285',
    });
    expect(presentation()).toEqual({
      title: 'Shop',
      description: 'Orders.',
      logo: join(folder, 'logo.svg'),
      color: '#0b7285',
    });
    expect(accentStyle()).toContain('--accent: light-dark(#0b7285, ');
  });

  it.each([
    [{ name: 'Shop' }, 'petstore.name of package.json is unknown'],
    [{ title: '' }, 'petstore.title of package.json must be a text'],
    [{ title: 7 }, 'petstore.title of package.json must be a text'],
    [{ color: 'red; } body { display: none' }, 'petstore.color of package.json must be a colour'],
    [{ logo: 'package.json' }, 'petstore.logo of package.json must name an SVG file'],
    [{ logo: 'other.svg' }, 'petstore.logo of package.json must name an SVG file'],
  ])('refuses %j', (member, message) => {
    presentAs(member);
    expect(presentation).toThrow(message);
  });
});
