import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { StoredEvent } from '../../../src/platform/events/stored-event.entity';
import { ScheduledJobsRepository } from '../../../src/platform/jobs/scheduled-jobs.repository';
import { Scheduler } from '../../../src/platform/jobs/scheduler.service';
import { StoredRun } from '../../../src/platform/jobs/stored-run.entity';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { Mails } from '../../events/page/mails';
import { Reports } from '../../events/page/reports';
import { codeBlocksOf } from '../../modules/support/guide-blocks';
import { shellWords } from '../../support/processes/shell-words';
import { FAILED_EVENT } from '../../support/service/failed-event';
import { startTestService } from '../../support/service/service';
import { FAILED_RUN } from '../../support/service/stored-run';
import { withFeatures } from '../../support/service/with-features';
import { until } from '../../support/until';

const PAGE = 'docs/jobs-and-events.md';

@Module({ providers: [Mails, Reports] })
class ReportsModule {}

describe(`What ${PAGE} shows`, () => {
  it('has commands that work as they are written, and a job that runs in the service', async () => {
    const page = readFileSync(join(__dirname, '..', '..', '..', PAGE), 'utf8');
    const [block] = codeBlocksOf(page).filter(({ language }) => language === 'sh');
    const commands = shellWords('petstore', block?.text ?? '');
    expect(commands).toContainEqual(['jobs', 'run', 'Reports.sendMonthly']);
    const service = await withFeatures({ ReportsModule }, () => startTestService('sqlite'));
    service.app.get(Scheduler).begin();
    await until(async () => (await service.app.get(ScheduledJobsRepository).list()).length > 0);
    const cli = new CliInProcess({ DATABASE_URL: service.database.url });
    for (const words of commands) {
      const events = service.app.get(DataSource).getRepository(StoredEvent);
      await events.clear();
      await events.insert({ ...FAILED_EVENT, id: 4711n });
      const runs = service.app.get(DataSource).getRepository(StoredRun);
      await runs.clear();
      await runs.insert({ ...FAILED_RUN, id: 12n, state: 'waiting' });
      const { code, stderr } = await cli.run(...words);
      expect([words, code, code === 0 ? '' : stderr]).toEqual([words, 0, '']);
    }
    const { sent } = service.app.get(Mails);
    await until(() => sent.some(({ messageId }) => messageId === 'report'));
    await service.stop();
  });
});
