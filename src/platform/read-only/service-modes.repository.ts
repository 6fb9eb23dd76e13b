import { Injectable } from '@nestjs/common';
import { DataSource, Like } from 'typeorm';
import { ServiceMode } from './service-mode.entity';

/** Name of the mode in which the service refuses writes. */
const READ_ONLY = 'read-only';

/** Beginning of the names of modes in which a scheduled job does not run. */
const PAUSED = 'paused ';

/** The rows that switch all nodes to read-only mode, or pause a scheduled job on all of them. */
@Injectable()
export class ServiceModesRepository {
  private readonly modes = this.dataSource.getRepository(ServiceMode);

  constructor(private readonly dataSource: DataSource) {}

  /** Tells whether the mode is on, whatever else its row has. */
  isOn(): Promise<boolean> {
    return this.modes.existsBy({ name: READ_ONLY });
  }

  /** Returns the row; null while the mode is off. */
  find(): Promise<ServiceMode | null> {
    return this.modes.findOneBy({ name: READ_ONLY });
  }

  /** Switches the mode on; if it is on already, the later row replaces the earlier one. */
  async insert(mode: Omit<ServiceMode, 'name'>): Promise<void> {
    await this.modes.upsert({ ...mode, name: READ_ONLY }, ['name']);
  }

  /** Switches the mode off. @returns true if it was on */
  async delete(): Promise<boolean> {
    const { affected } = await this.modes.delete({ name: READ_ONLY });
    return affected === 1;
  }

  /** Returns the instants since which scheduled jobs are paused, by name. */
  async pausedJobs(): Promise<ReadonlyMap<string, Date>> {
    const rows = await this.modes.findBy({ name: Like(`${PAUSED}%`) });
    return new Map(rows.map(({ name, since }) => [name.slice(PAUSED.length), since]));
  }

  /** Pauses a scheduled job; the pause of a job that is paused already stays. */
  async pauseJob(job: string, mode: Omit<ServiceMode, 'name'>): Promise<void> {
    const query = this.modes
      .createQueryBuilder()
      .insert()
      .values({ ...mode, name: `${PAUSED}${job}` });
    await query.orIgnore().updateEntity(false).execute();
  }

  /** Ends the pause of a scheduled job. @returns true if it was paused */
  async resumeJob(job: string): Promise<boolean> {
    const { affected } = await this.modes.delete({ name: `${PAUSED}${job}` });
    return affected === 1;
  }
}
