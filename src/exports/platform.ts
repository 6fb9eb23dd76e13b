/*
 * What modules in repositories of their own may use, as `@petstore/platform`. A line that is added asks for a new minor version of
 * `packages/platform/package.json`; one that goes, or does something else, asks for a new major one.
 */

// A module of the service, and what operators work with.
export { Feature, type FeatureOptions } from '../platform/features/feature.decorator';
export type { AdminAction } from '../platform/features/admin-action';
export type {
  AdminPanel,
  PanelContent,
  PanelFigure,
  PanelTable,
  PanelValue,
} from '../platform/features/admin-panel';
export {
  type AdminIcon,
  type AdminRecords,
  adminRecords,
  type AdminRecordsService,
} from '../platform/features/admin-records';

// Pages of the console.
export { ConsoleController, type ConsoleEntry } from '../platform/features/console-controller.decorator';
export { type ConsoleField, type ConsoleForm, FormOf } from '../platform/features/console-form';
export {
  type ConsolePage,
  type Crumb,
  type Notice,
  page,
  type PageContent,
  seeOther,
  type SeeOther,
} from '../platform/features/console-page';
export { type AdminScope, ConsoleScopes } from '../platform/security/access.decorators';

// Who may use a route, how often, and until when.
export { Public, RequireScopes } from '../platform/security/access.decorators';
export { Caller } from '../platform/security/caller.decorator';
export { asOwner, forAllOwners } from '../platform/security/owner';
export type { Principal } from '../platform/security/principal';
export { RateLimited } from '../platform/rate-limit/rate-limited.decorator';
export { DeprecatedOperation } from '../platform/deprecation/deprecated-operation.decorator';

// Responses and requests of an operation.
export {
  CreatedResponse,
  ErrorResponse,
  NoContentResponse,
  OkResponse,
  PageResponse,
} from '../platform/http/operations/response.decorators';
export type { Created } from '../platform/http/response/created';
export { CacheResponse } from '../platform/http/response/response-cache';
export { Once } from '../platform/http/idempotency/once';
export { IfMatch, Precondition } from '../platform/http/request/precondition';
export { PageQuery } from '../platform/http/request/page-query';

// Fields of bodies and responses, parameters of paths and queries.
export type { ArrayLimits, FieldOptions } from '../platform/validation/field';
export { ObjectArrayField } from '../platform/validation/object-array-field';
export {
  BooleanField,
  DateField,
  DateTimeField,
  DecimalField,
  EnumField,
  Int64Field,
  IntegerField,
  NumberField,
  ReferenceField,
  StringField,
  UuidField,
} from '../platform/validation/fields';
export type { NumberLimits } from '../platform/values/kinds/numbers';
export type { TextLimits } from '../platform/values/kinds/text.kind';
export {
  BooleanParameter,
  type BoundOptions,
  DateParameter,
  DateTimeParameter,
  DecimalParameter,
  EnumParameter,
  type FilterOptions,
  Int64Parameter,
  IntegerParameter,
  NumberParameter,
  PrefixParameter,
  SortParameter,
  UuidParameter,
  type ValueOptions,
} from '../platform/validation/parameters';
export type { Complete } from '../platform/validation/complete';
export { Int64Param } from '../platform/validation/int64-param.decorator';
export {
  applyMergePatch,
  type MergePatch,
  MergePatchType,
  RequiredType,
} from '../platform/validation/merge-patch';

// Errors: a module's own, and those of the service that its operations meet.
export { type AppErrorClass, defineError, type ErrorDeclaration } from '../platform/errors/app-error';
export {
  BadRequestError,
  DuplicateValueError,
  InvalidFieldError,
  InvalidParameterError,
  MissingReferenceError,
  NotFoundError,
  PreconditionFailedError,
  ServiceUnavailableError,
  StillReferencedError,
} from '../platform/errors/http-errors';
export { NoOwnerError } from '../platform/security/security-errors';

// Rows, their columns and their tables.
export { Database } from '../platform/database/database';
export { type ColumnCopy, copyColumn } from '../platform/database/entities/copy-column';
export { fillColumn } from '../platform/database/entities/fill-column';
export { EntityRepository, type New } from '../platform/database/entities/entity-repository';
export type { Filters, FilterValue, Page, PageRequest } from '../platform/database/statements/page';
export {
  BooleanColumn,
  columnTypes,
  CreatedAtColumn,
  DateColumn,
  DecimalColumn,
  DoubleColumn,
  GeneratedInt64Key,
  InstantColumn,
  Int64Column,
  IntegerColumn,
  BytesColumn,
  OwnerColumn,
  RemovedAtColumn,
  RETIRED,
  TextColumn,
  UuidColumn,
} from '../platform/database/column-types';
export {
  requireCheck,
  requireNotNull,
  requireReferences,
  requireUnique,
} from '../platform/database/driver/requirements';
export {
  addCheck,
  addCheckedColumn,
  addForeignKey,
  addIndex,
  addIndexConcurrently,
  addUnique,
} from '../platform/database/driver/late-constraints';
export { type NamedCheck, replaceCheck, setNullable } from '../platform/database/driver/table-changes';
export { createTextIndex, type TextIndex } from '../platform/database/statements/text-index';

// Events, methods that run at their times, and jobs.
export { Events } from '../platform/events/events';
export { type EventDelivery, OnEvent, type OnEventOptions } from '../platform/events/on-event.decorator';
export { Scheduled, type ScheduledOptions } from '../platform/jobs/scheduled.decorator';
export { Job, type JobOptions } from '../platform/jobs/job.decorator';
export type { JobProgress, JobRun } from '../platform/jobs/job-run';
export { Jobs } from '../platform/jobs/jobs';

// What runs beside requests: the record of changes, the log, metrics, health, settings.
export { type AuditedChange, AuditLog } from '../platform/audit/audit-log';
export { InjectLogger, type Logger } from '../platform/logging/logging.module';
export { Metrics } from '../platform/telemetry/metrics';
export { HealthCheck, type HealthDetails, type HealthResult } from '../platform/health/health-check';
export { settingKinds } from '../platform/config/module-setting-kinds';
export type { InferSettings, Kind, Setting, SettingsDeclaration } from '../platform/config/setting';
export { InjectSettings } from '../platform/config/settings.module';
export type { Settings } from '../platform/config/settings';

// Commands of a module.
export { type Cli, type CommandContext, type CommandGroup, JSON_OPTION } from '../platform/cli/cli';
export { petstore } from '../platform/config/called-as';
export { CommandError } from '../platform/cli/command-error';
