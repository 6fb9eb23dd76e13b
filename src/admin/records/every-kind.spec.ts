import type { Type } from '@nestjs/common';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { addSample, membersFor } from '../../../test/support/samples/samples';
import { startTestService, type TestService } from '../../../test/support/service/service';
import * as features from '../../features';
import { type AdminRecords, changeScope } from '../../platform/features/admin-records';
import { recordsOf } from '../../platform/features/feature-modules';
import { exactJson } from '../../platform/values/exact-json';
import { fieldsOf, optionalFields, type RecordField } from './record-fields';
import type { Condition } from '../../platform/database/statements/where';
import { positionOf, type RecordOrder } from './list-request';
import { type FieldTexts, readCreation, readPatch } from './record-values';
import { RecordsService } from './records.service';
import { RecordHistory } from './history/record-history.service';
import { versionOf } from './stored-record';

/** More records than a test makes. */
const MOST = 500;

/** The millisecond that an instant lies in. */
function momentOf(value: unknown): Condition<Date> {
  const from = new Date(value as Date);
  return { from, before: new Date(from.getTime() + 1) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : exactJson(value);
}

/** Expectations for the records of every feature, pets and later ones: they are found through their descriptors. */
describeEachEngine('The records of every feature', (engine) => {
  let service: TestService;
  let records: RecordsService;

  beforeAll(async () => {
    service = await startTestService(engine);
    records = service.app.get(RecordsService, { strict: false });
  });
  afterAll(() => service.stop());

  async function sampleOf({ name }: AdminRecords): Promise<bigint> {
    return BigInt(await addSample(service, `/${name}`));
  }

  /** A creation from the examples of its fields, with references to existing records. */
  async function creationOf(recordType: AdminRecords, dto: Type, fields = fieldsOf(dto)): Promise<object> {
    return readCreation(dto, await examplesOf(recordType, fields));
  }

  async function examplesOf(recordType: AdminRecords, fields: readonly RecordField[]): Promise<FieldTexts> {
    const members = await membersFor(service, `/${recordType.name}`);
    const texts: Record<string, string> = {};
    for (const { name, example, refersTo } of fields) {
      if (name in members) texts[name] = textOf(members[name]);
      else texts[name] = refersTo === undefined ? example : String(await addSample(service, `/${refersTo}`));
    }
    return texts;
  }

  /** The ids of all records, read in pages of a size. */
  async function ids(recordType: AdminRecords, order: RecordOrder, limit: number): Promise<bigint[]> {
    const found: bigint[] = [];
    let after: ReturnType<typeof positionOf> | undefined;
    // Pages that started again from the first would never end.
    while (found.length <= MOST) {
      const page = await records.search(recordType, { order, after, limit });
      found.push(...page.map(({ values }) => values.id));
      const last = page.at(-1);
      if (!last || page.length < limit) break;
      after = positionOf(last, order);
    }
    return found;
  }

  describe.each(recordsOf(features))('$name', (recordType) => {
    it('are found by the value of each field and by their time', async () => {
      const id = await sampleOf(recordType);
      const { values } = await records.get(recordType, id);
      for (const { name, kind: type } of fieldsOf(recordType.record)) {
        const value = values[name] as string | undefined;
        if (value === undefined || type === 'array') continue;
        const wanted = type === 'date-time' ? momentOf(value) : type === 'text' ? { contains: value } : value;
        const found = await records.search(recordType, {
          filter: { where: { [name]: wanted } },
          limit: MOST,
        });
        expect([name, found.map((record) => record.values.id)]).toEqual([name, expect.arrayContaining([id])]);
      }
    });

    it('are sorted by each indexed field, page by page', async () => {
      for (let count = 0; count < 3; count++) await sampleOf(recordType);
      if (recordType.creation) {
        const required = fieldsOf(recordType.creation).filter(({ isOptional }) => !isOptional);
        for (let count = 0; count < 2; count++) {
          await records.create(recordType, await creationOf(recordType, recordType.creation, required));
        }
      }
      const { orders } = records.listFacts(recordType);
      expect(orders).toContain('id');
      for (const by of orders) {
        for (const descending of [false, true]) {
          const whole = await ids(recordType, { by, descending }, MOST);
          expect(whole.length).toBeGreaterThan(2);
          expect([by, descending, await ids(recordType, { by, descending }, 1)]).toEqual([
            by,
            descending,
            whole,
          ]);
        }
      }
    });

    it('are created from examples, changed and removed by their own rules, and every change is in the audit log', async () => {
      const { create, update, remove } = records.actionsOf(recordType);
      const done: string[] = [];
      let id = await sampleOf(recordType);
      if (create && recordType.creation) {
        const creation = await creationOf(recordType, recordType.creation);
        const made = await records.create(recordType, creation);
        expect(made).toMatchObject(creation);
        id = made.id;
        done.push('create');
      }
      if (update && recordType.patch) {
        const examples = await examplesOf(recordType, fieldsOf(recordType.patch));
        const patched = new Set(fieldsOf(recordType.patch).map(({ name }) => name));
        const optional = optionalFields(recordType.record).filter(({ name }) => patched.has(name));
        for (const texts of [examples, Object.fromEntries(optional.map(({ name }) => [name, '']))]) {
          const { version } = await records.get(recordType, id);
          const updated = await records.update(recordType, id, readPatch(recordType.patch, texts), version);
          if (versionOf(updated) !== version) done.push('update');
        }
        const notSet = optional.map(({ name }) => name);
        const found = await records.search(recordType, { filter: { where: unset(notSet) }, limit: MOST });
        expect(found.map((record) => record.values.id)).toContain(id);
        for (const name of notSet) {
          const valued = await records.search(recordType, { filter: { where: unset([name]) }, limit: MOST });
          expect(valued.filter(({ values }) => values[name] !== undefined)).toEqual([]);
        }
      }
      if (remove) {
        const { version } = await records.get(recordType, id);
        await records.remove(recordType, id, version);
        done.push('remove');
      }
      const { entries } = await service.app.get(RecordHistory, { strict: false }).list(recordType, id, 10);
      expect(entries.map(({ event }) => event?.action).reverse()).toEqual(
        done.map((verb) => `${recordType.name}.${verb}`),
      );
    });

    it('can be changed by a person whose key has their scope', async () => {
      await expect(service.keyWith(changeScope(recordType))).resolves.toBeDefined();
    });
  });
});

/** Conditions that fields have no value. */
function unset(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { isSet: false }]));
}
