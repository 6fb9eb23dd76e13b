import { ants, HamstersModule, ZebrasModule } from '../../../test/architecture/herds/features';
import { startTestService } from '../../../test/support/service/service';
import { withFeatures } from '../../../test/support/service/with-features';
import type { Cli } from '../../platform/cli/cli';
import { createProgram } from '../../platform/cli/program';
import { ConsoleNavigation } from '../console/frame/navigation';
import { recordCommands } from './commands/records.command';
import { RecordsService } from './records.service';

/** Not in the order of the alphabet. */
const HERDS = { ZebrasModule, HamstersModule, ants };

describe('Records', () => {
  it('have the order of their features in the console and on the command line', async () => {
    const service = await withFeatures(HERDS, () => startTestService('sqlite'));
    const records = service.app.get(RecordsService, { strict: false });
    expect(records.recordTypes.map(({ name }) => name).slice(-2)).toEqual(['zebras', 'ants']);
    const navigation = service.app.get(ConsoleNavigation, { strict: false });
    const links = navigation.linksFor({ path: '/admin', can: () => true } as never);
    const titles = links.map(({ title }) => title);
    expect(titles.indexOf('Pets')).toBeLessThan(titles.indexOf('Zebras'));
    expect(titles.indexOf('Zebras')).toBeLessThan(titles.indexOf('Ants'));
    await service.stop();
    const program = createProgram([recordCommands(HERDS)], {} as Cli);
    expect(program.commands.map((command) => command.name())).toEqual(['zebras', 'ants']);
  });
});
