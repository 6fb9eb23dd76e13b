import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../support/folders';

const PROJECT = join(__dirname, '..', '..');
const LOADER = join('dist', 'src', 'process', 'packages.js');

/** Runs code that begins as the service does, and returns what it prints as JSON. */
async function run(project: string, code: string): Promise<unknown> {
  const begin = `require(${JSON.stringify(join(project, LOADER))});`;
  const args = [
    '--eval',
    `${begin}(async () => console.log(JSON.stringify(await (async () => {${code}})())))()`,
  ];
  return JSON.parse((await promisify(execFile)(process.execPath, args, { cwd: project })).stdout);
}

/** A project with one package, and a bundle that has another content for its file. */
function makeProject(installed: string, bundled: string): string {
  const project = makeFolder();
  cpSync(join(PROJECT, LOADER), join(project, LOADER));
  const folder = join(project, 'node_modules', 'late');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'late', version: installed }));
  writeFileSync(join(folder, 'index.js'), "exports.from = 'package';");
  writeFileSync(join(project, 'dist', 'packages.json'), JSON.stringify({ late: bundled }));
  writeFileSync(
    join(project, 'dist', 'packages.cjs'),
    "exports.modules = {}; exports.scripts = { 'late/index.js': () => ({ from: 'bundle' }) };",
  );
  return project;
}

describe('The packages in one file', () => {
  it.each(['@nestjs/common', '@nestjs/core', '@nestjs/swagger', 'class-validator', 'rxjs', 'typeorm'])(
    'are %s for whoever requires it and for whoever imports it, with one copy of each class',
    async (name) => {
      const code = `
        const required = require('${name}');
        const imported = await import('${name}');
        const bundle = require('./dist/packages.cjs');
        const file = Object.keys({ ...bundle.modules, ...bundle.scripts }).find((path) => require.resolve('${name}').endsWith(path));
        const own = (bundle.modules[file] ?? bundle.scripts[file])();
        const names = Object.keys(own).filter((each) => each !== 'default');
        return { hasMany: names.length > 10, others: names.filter((each) => required[each] !== own[each] || imported[each] !== own[each]) };`;
      expect(await run(PROJECT, code)).toEqual({ hasMany: true, others: [] });
    },
  );

  it('are the same for who asks for a file within a package', async () => {
    const code = `
      const { Module } = require('@nestjs/core/injector/module.js');
      return [
        Module === (await import('./node_modules/@nestjs/core/injector/module.js')).Module,
        require('@nestjs/common/internal').loadPackage === require('@nestjs/common/utils/load-package.util.js').loadPackage,
        require('class-transformer/cjs/storage') === require('./node_modules/class-transformer/cjs/storage.js'),
      ];`;
    expect(await run(PROJECT, code)).toEqual([true, true, true]);
  });

  it('keep the names of classes', async () => {
    const code = `
      const { Logger, Module } = require('@nestjs/common');
      const { Module: Container } = require('@nestjs/core/injector/module.js');
      return [Logger.name, Module.name, Container.name, require('typeorm').DataSource.name];`;
    expect(await run(PROJECT, code)).toEqual(['Logger', 'Module', 'Module', 'DataSource']);
  });

  it('are used only if the installed versions are theirs', async () => {
    const code = `return require('late').from;`;
    expect(await run(makeProject('1.0.0', '1.0.0'), code)).toBe('bundle');
    expect(await run(makeProject('1.0.1', '1.0.0'), code)).toBe('package');
  });
});
