import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../../platform/audit/audit-log';
import { operatorSubject } from '../../../../platform/audit/subject';
import { Database } from '../../../../platform/database/database';
import { DuplicateValueError } from '../../../../platform/errors/http-errors';
import { type AdminRecords, changeScope } from '../../../../platform/features/admin-records';
import { isStorableText } from '../../../../platform/values/kinds/text.kind';
import type { ConsoleRequest } from '../../http/console-request';
import { SavedView } from './saved-view.entity';
import { SavedViewsRepository } from './saved-views.repository';
import { UnfitViewError, ViewNotFoundError } from './views.errors';

/** Length limit of a name, in characters. */
const MAX_NAME = 60;
/** Length limit of a query, in characters: it becomes a part of longer addresses. */
const MAX_QUERY = 1_500;
/** Limit of views that a person may save for one record type. */
const MAX_OWN = 50;
/** Limit of views that are shown for one record type. */
const MAX_SHOWN = 200;

/** The name of a view and whether it is shared, as a person typed them. */
export interface ViewNaming {
  readonly name: string;
  readonly isShared: boolean;
}

/** A view as the operator who is signed in may use it. */
export interface ViewOfPerson extends Readonly<
  Pick<SavedView, 'id' | 'name' | 'query' | 'ownerName' | 'isShared' | 'createdAt'>
> {
  /** True if the operator made the view, and so may change it. */
  readonly isOwn: boolean;
  /** True if the operator may remove the view: an own one, or a shared one of records that they may change. */
  readonly isRemovable: boolean;
}

/** Lists of records that people have saved under a name. */
@Injectable()
export class SavedViews {
  constructor(
    private readonly views: SavedViewsRepository,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /** The views of a record type that the operator may use: own ones first, then those that others share. */
  async list(recordType: AdminRecords, request: ConsoleRequest): Promise<ViewOfPerson[]> {
    const views = await this.views.ofPerson(recordType.name, request.session.lineageId, MAX_SHOWN);
    return views.map((view) => viewOfPerson(recordType, view, request));
  }

  /** Finds one view. @throws ViewNotFoundError */
  async get(recordType: AdminRecords, id: bigint, request: ConsoleRequest): Promise<ViewOfPerson> {
    return viewOfPerson(recordType, await this.find(recordType, id, request), request);
  }

  /** Saves the query of a list under a name. @throws UnfitViewError */
  save(
    recordType: AdminRecords,
    query: string,
    naming: ViewNaming,
    request: ConsoleRequest,
  ): Promise<ViewOfPerson> {
    const { operator, session } = request;
    return this.storing(naming, async ({ name, isShared }) => {
      if (query.length > MAX_QUERY) throw new UnfitViewError('The list has too many filters to be saved.');
      const own = { kind: recordType.name, owner: session.lineageId };
      if ((await this.views.count(own, MAX_OWN)) === MAX_OWN) {
        throw new UnfitViewError(`You already have ${MAX_OWN} views of this list, the maximum.`);
      }
      const ownerName = operator.name;
      const view = await this.views.insert({
        ...own,
        name,
        query,
        ownerName,
        isShared,
        createdAt: new Date(),
      });
      await this.record('create', view.id, undefined, view);
      return viewOfPerson(recordType, view, request);
    });
  }

  /** Changes the name of an own view, and whether it is shared. @throws UnfitViewError or ViewNotFoundError */
  change(
    recordType: AdminRecords,
    id: bigint,
    naming: ViewNaming,
    request: ConsoleRequest,
  ): Promise<ViewOfPerson> {
    return this.storing(naming, async ({ name, isShared }) => {
      const before = await this.find(recordType, id, request);
      if (!viewOfPerson(recordType, before, request).isOwn) throw new ViewNotFoundError();
      const after = await this.views.update(Object.assign(new SavedView(), before, { name, isShared }));
      await this.record('update', id, before, after);
      return viewOfPerson(recordType, after, request);
    });
  }

  /** Removes a view. @throws ViewNotFoundError */
  remove(recordType: AdminRecords, id: bigint, request: ConsoleRequest): Promise<ViewOfPerson> {
    return this.database.transaction(async () => {
      const view = await this.find(recordType, id, request);
      const seen = viewOfPerson(recordType, view, request);
      if (!seen.isRemovable) throw new ViewNotFoundError();
      await this.views.delete(id);
      await this.record('remove', id, view, undefined);
      return seen;
    });
  }

  private async find({ name }: AdminRecords, id: bigint, { session }: ConsoleRequest): Promise<SavedView> {
    const view = await this.views.findOne(id);
    if (view?.kind !== name || !(view.isShared || view.owner === session.lineageId)) {
      throw new ViewNotFoundError();
    }
    return view;
  }

  private async storing(
    { name, isShared }: ViewNaming,
    work: (naming: ViewNaming) => Promise<ViewOfPerson>,
  ): Promise<ViewOfPerson> {
    const trimmed = name.trim();
    if (trimmed === '') throw unfitName('Give the view a name.');
    if (trimmed.length > MAX_NAME || !isStorableText(trimmed)) {
      throw unfitName(`A name has at most ${MAX_NAME} characters, all of them text.`);
    }
    try {
      return await this.database.transaction(() => work({ name: trimmed, isShared }));
    } catch (error) {
      if (error instanceof DuplicateValueError) throw unfitName('You already have a view with this name.');
      throw error;
    }
  }

  private record(
    verb: 'create' | 'update' | 'remove',
    id: bigint,
    before: SavedView | undefined,
    after: SavedView | undefined,
  ): Promise<bigint> {
    const owner = (before ?? after)?.owner;
    return this.audit.record({
      action: `saved-views.${verb}`,
      subject: { type: 'saved-views', id },
      before: before && recorded(before),
      after: after && recorded(after),
      personal: ['ownerName'],
      person: owner === undefined ? undefined : operatorSubject(owner),
    });
  }
}

function viewOfPerson(recordType: AdminRecords, view: SavedView, request: ConsoleRequest): ViewOfPerson {
  const { id, name, query, ownerName, isShared, createdAt, owner } = view;
  const isOwn = owner === request.session.lineageId;
  const isRemovable = isOwn || (isShared && request.can(changeScope(recordType)));
  return { id, name, query, ownerName, isShared, createdAt, isOwn, isRemovable };
}

/** The members of a view that the audit log records. */
function recorded({ kind, name, query, ownerName, isShared }: SavedView): object {
  return { kind, name, query, ownerName, isShared };
}

function unfitName(message: string): Error {
  return new UnfitViewError({ message, faults: [{ field: 'name', message }] });
}
