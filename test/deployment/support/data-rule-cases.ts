import { type RuleCase, state } from './rule-case';
import { DAY, gauge, HOUR, JOB } from './rule-series';

const FREE = `petstore_database_disk_free_bytes{${JOB}}`;
const SIZE = { [`petstore_database_disk_size_bytes{${JOB}}`]: gauge(100e9, 2 * DAY) };
const STANDBYS = `petstore_synchronous_standbys{${JOB}}`;
const RESTORE = `petstore_last_restore_timestamp_seconds{${JOB}}`;
const READY = `petstore_ready{${JOB}}`;
const BACKUP = `petstore_last_backup_timestamp_seconds{${JOB}}`;

/** Looks at the alerts about what keeps the data safe. */
export const DATA_RULE_CASES: readonly RuleCase[] = [
  {
    alert: 'PetstoreNoBackup',
    when: 'the last is more than a day old',
    series: { [BACKUP]: gauge(0, 2 * DAY) },
    at: 27 * HOUR,
    fires: true,
  },
  {
    alert: 'PetstoreNoBackup',
    when: 'one is made each night',
    series: { [BACKUP]: `0x${DAY - 1} ${DAY * 60}x${DAY}` },
    at: 27 * HOUR,
    fires: false,
  },
  {
    alert: 'PetstoreNoBackup',
    when: 'nodes serve, and nothing is known of backups',
    series: { [READY]: gauge(1, DAY) },
    at: HOUR,
    fires: true,
  },
  {
    alert: 'PetstoreNoBackup',
    when: 'the database, which knows of the last, is away for hours',
    series: { [READY]: gauge(1, DAY), [BACKUP]: `0x${HOUR} _x${DAY}` },
    at: 10 * HOUR,
    fires: false,
  },
  {
    alert: 'PetstoreNoBackup',
    when: 'one of two nodes knows of the last',
    series: {
      [READY]: gauge(1, DAY),
      [READY.replace('"a"', '"b"')]: gauge(1, DAY),
      [BACKUP.replace('"a"', '"b"')]: gauge(0, DAY),
    },
    at: 10 * HOUR,
    fires: false,
  },
  {
    alert: 'PetstoreNoRestoreDrill',
    when: 'the last was made more than 100 days ago, or never',
    series: { [RESTORE]: gauge(0, 101 * DAY) },
    at: 101 * DAY,
    fires: true,
  },
  {
    alert: 'PetstoreNoRestoreDrill',
    when: 'the last was made 99 days ago',
    series: { [RESTORE]: gauge(0, 99 * DAY) },
    at: 99 * DAY,
    fires: false,
  },
  {
    alert: 'PetstoreNoSynchronousStandby',
    when: 'the only one is lost',
    series: { [STANDBYS]: `1x${HOUR} 0x30` },
    at: HOUR + 15,
    fires: true,
  },
  {
    alert: 'PetstoreNoSynchronousStandby',
    when: 'one is missing for a moment, as after a failover',
    series: { [STANDBYS]: `1x${HOUR} 0x5 1x30` },
    at: HOUR + 15,
    fires: false,
  },
  {
    alert: 'PetstoreNoSynchronousStandby',
    when: 'there never was one',
    series: { [STANDBYS]: gauge(0, DAY) },
    at: HOUR,
    fires: false,
  },
  ...state('PetstoreReadOnly', `petstore_read_only{${JOB}}`, 1, 0, HOUR),
  {
    alert: 'PetstoreDiskFills',
    when: 'little is left',
    series: { ...SIZE, [FREE]: gauge(3e9, DAY) },
    at: HOUR,
    fires: true,
  },
  {
    alert: 'PetstoreDiskFills',
    when: 'it loses a gigabyte an hour and has 20',
    series: { ...SIZE, [FREE]: `26000000000-${Math.round(1e9 / HOUR)}x${8 * HOUR}` },
    at: 6 * HOUR,
    fires: true,
  },
  {
    alert: 'PetstoreDiskFills',
    when: 'a fifth is free and stays so',
    series: { ...SIZE, [FREE]: gauge(20e9, DAY) },
    at: 7 * HOUR,
    fires: false,
  },
];
