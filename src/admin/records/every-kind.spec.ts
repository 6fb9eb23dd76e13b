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
  async function creationOf(kind: AdminRecords, dto: Type, fields = fieldsOf(dto)): Promise<object> {
    return readCreation(dto, await examplesOf(kind, fields));
  }

  async function examplesOf(kind: AdminRecords, fields: readonly RecordField[]): Promise<FieldTexts> {
    const members = await membersFor(service, `/${kind.name}`);
    const texts: Record<string, string> = {};
    for (const { name, example, refersTo } of fields) {
      if (name in members) texts[name] = textOf(members[name]);
      else texts[name] = refersTo === undefined ? example : String(await addSample(service, `/${refersTo}`));
    }
    return texts;
  }

  /** The ids of all records, read in pages of a size. */
  async function ids(kind: AdminRecords, order: RecordOrder, limit: number): Promise<bigint[]> {
    const found: bigint[] = [];
    let after: ReturnType<typeof positionOf> | undefined;
    // Pages that started again from the first would never end.
    while (found.length <= MOST) {
      const page = await records.search(kind, { order, after, limit });
      found.push(...page.map(({ values }) => values.id));
      const last = page.at(-1);
      if (!last || page.length < limit) break;
      after = positionOf(last, order);
    }
    return found;
  }

  describe.each(recordsOf(features))('$name', (kind) => {
    it('are found by the value of each field, and by its time', async () => {
      const id = await sampleOf(kind);
      const { values } = await records.get(kind, id);
      for (const { name, kind: type } of fieldsOf(kind.record)) {
        const value = values[name] as string | undefined;
        if (value === undefined || type === 'array') continue;
        const wanted = type === 'date-time' ? momentOf(value) : type === 'text' ? { contains: value } : value;
        const found = await records.search(kind, { filter: { where: { [name]: wanted } }, limit: MOST });
        expect([name, found.map((record) => record.values.id)]).toEqual([name, expect.arrayContaining([id])]);
      }
    });

    it('are put in order by whatever has an index, page by page', async () => {
      for (let count = 0; count < 3; count++) await sampleOf(kind);
      if (kind.creation) {
        const required = fieldsOf(kind.creation).filter(({ isOptional }) => !isOptional);
        for (let count = 0; count < 2; count++) {
          await records.create(kind, await creationOf(kind, kind.creation, required));
        }
      }
      const { orders } = records.listFacts(kind);
      expect(orders).toContain('id');
      for (const by of orders) {
        for (const descending of [false, true]) {
          const whole = await ids(kind, { by, descending }, MOST);
          expect(whole.length).toBeGreaterThan(2);
          expect([by, descending, await ids(kind, { by, descending }, 1)]).toEqual([by, descending, whole]);
        }
      }
    });

    it('are made of the examples, changed and removed by their own rules, and all of that is on the record', async () => {
      const { create, update, remove } = records.actionsOf(kind);
      const done: string[] = [];
      let id = await sampleOf(kind);
      if (create && kind.creation) {
        const creation = await creationOf(kind, kind.creation);
        const made = await records.create(kind, creation);
        expect(made).toMatchObject(creation);
        id = made.id;
        done.push('create');
      }
      if (update && kind.patch) {
        const examples = await examplesOf(kind, fieldsOf(kind.patch));
        const patched = new Set(fieldsOf(kind.patch).map(({ name }) => name));
        const optional = optionalFields(kind.record).filter(({ name }) => patched.has(name));
        for (const texts of [examples, Object.fromEntries(optional.map(({ name }) => [name, '']))]) {
          const { version } = await records.get(kind, id);
          const updated = await records.update(kind, id, readPatch(kind.patch, texts), version);
          if (versionOf(updated) !== version) done.push('update');
        }
        const notSet = optional.map(({ name }) => name);
        const found = await records.search(kind, { filter: { where: unset(notSet) }, limit: MOST });
        expect(found.map((record) => record.values.id)).toContain(id);
        for (const name of notSet) {
          const valued = await records.search(kind, { filter: { where: unset([name]) }, limit: MOST });
          expect(valued.filter(({ values }) => values[name] !== undefined)).toEqual([]);
        }
      }
      if (remove) {
        const { version } = await records.get(kind, id);
        await records.remove(kind, id, version);
        done.push('remove');
      }
      const { entries } = await records.history(kind, id, 10);
      expect(entries.map(({ event }) => event?.action).reverse()).toEqual(
        done.map((verb) => `${kind.name}.${verb}`),
      );
    });

    it('are changed by who has a key with their scope', async () => {
      await expect(service.keyWith(changeScope(kind))).resolves.toBeDefined();
    });
  });
});

/** Conditions that fields have no value. */
function unset(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { isSet: false }]));
}
