import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ServiceMode } from './service-mode.entity';

/** Name of the only mode. */
const READ_ONLY = 'read-only';

/** The row that switches all nodes to read-only mode. */
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
}
