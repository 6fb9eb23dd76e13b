import { Project } from './support/project.ts';

describe('An update of code without a record', () => {
  const project = Project.small();

  it('replaces @Idempotent() by @Once() in code written by hand', async () => {
    const byHand = 'src/shelves/shelves.controller.ts';
    const old = [
      `import { Post } from '@nestjs/common';`,
      "import { Idempotent } from '../platform/http/idempotency/idempotent.decorator';",
      `import { Once } from '../platform/http/idempotency/once';`,
      '',
      'export class ShelvesController {',
      "  @Post('first')",
      '  first(@Once() once: Once): Promise<void> {',
      '    return once(async () => undefined);',
      '  }',
      '',
      "  @Post('second')",
      '  @Idempotent()',
      '  async second(): Promise<void> {',
      '    return undefined;',
      '  }',
      '}',
      '',
    ].join('\n');
    for (const args of [['shelves'], ['--all']]) {
      project.write(byHand, old);
      expect(await project.generate('update', ...args)).toMatchObject({ code: 0, stderr: '' });
      const text = project.read(byHand);
      expect(text).not.toContain('Idempotent');
      expect(text.match(/import \{ Once \}/g)).toHaveLength(1);
      expect(text).toContain('async second(@Once() once: Once): Promise<void> {');
    }
    expect(await project.generate('update', 'shelves')).toMatchObject({
      stderr: expect.stringContaining('src/shelves has no record of what was generated') as string,
    });
  });
});
