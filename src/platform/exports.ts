/*
 * Exports for features, here and in other repositories, as `@petstore/platform`. A line that is added asks for a new minor version of
 * `packages/platform/package.json`; one that goes, or does something else, asks for a new major one.
 */

// A module of the service, and what operators work with.
export { Feature, type FeatureOptions } from './features/feature.decorator';
export type { AdminAction } from './features/admin-action';
export type { AdminPanel, PanelContent, PanelFigure, PanelTable, PanelValue } from './features/admin-panel';
export {
  type AdminIcon,
  type AdminRecords,
  adminRecords,
  type AdminRecordsService,
} from './features/admin-records';

// Pages of the console.
export { ConsoleController, type ConsoleEntry } from './features/console-controller.decorator';
export { type ConsoleField, type ConsoleForm, FormOf } from './features/console-form';
export {
  type ConsolePage,
  type Crumb,
  type Notice,
  page,
  type PageContent,
  seeOther,
  type SeeOther,
} from './features/console-page';
export { type AdminScope, ConsoleScopes } from './security/access.decorators';

// Who may use a route, how often, and until when.
export { Public, RequireScopes } from './security/access.decorators';
export { Caller } from './security/caller.decorator';
export { asOwner, forAllOwners } from './security/owner';
export type { Principal } from './security/principal';
export { RateLimited } from './rate-limit/rate-limited.decorator';
export { ReadOnlyMode } from './read-only/read-only-mode';
export { DeprecatedOperation } from './deprecation/deprecated-operation.decorator';

// Responses and requests of an operation.
export {
  CreatedResponse,
  ErrorResponse,
  NoContentResponse,
  OkResponse,
  PageResponse,
} from './http/operations/response.decorators';
export type { Created } from './http/response/created';
export { CacheResponse } from './http/response/response-cache';
export { Once } from './http/idempotency/once';
export { IfMatch, Precondition } from './http/request/precondition';
export { PageQuery } from './http/request/page-query';

// Fields of bodies and responses, parameters of paths and queries.
export type { ArrayLimits, FieldOptions } from './validation/field';
export { ObjectArrayField } from './validation/object-array-field';
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
} from './validation/fields';
export type { NumberLimits } from './values/kinds/numbers';
export type { TextLimits } from './values/kinds/text.kind';
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
} from './validation/parameters';
export type { Complete } from './validation/complete';
export { Int64Param } from './validation/int64-param.decorator';
export { applyMergePatch, type MergePatch, MergePatchType, RequiredType } from './validation/merge-patch';

// Errors: a module's own, and those of the service that its operations meet.
export { type AppErrorClass, defineError, type ErrorDeclaration } from './errors/app-error';
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
} from './errors/http-errors';
export { NoOwnerError } from './security/security-errors';

// Rows, their columns and their tables.
export { Database } from './database/database';
export { yieldToWriters } from './database/yield-to-writers';
export { type ColumnCopy, copyColumn } from './database/entities/copy-column';
export { fillColumn } from './database/entities/fill-column';
export { EntityRepository, type New } from './database/entities/entity-repository';
export type { Filters, FilterValue, Page, PageRequest } from './database/statements/page';
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
} from './database/column-types';
export {
  requireCheck,
  requireNotNull,
  requireReferences,
  requireUnique,
} from './database/driver/requirements';
export {
  addCheck,
  addCheckedColumn,
  addForeignKey,
  addIndex,
  addIndexConcurrently,
  addUnique,
} from './database/driver/late-constraints';
export { type NamedCheck, replaceCheck, setNullable } from './database/driver/table-changes';
export { createTextIndex, type TextIndex } from './database/statements/text-index';

// Events, methods that run at their times, and jobs.
export { Events } from './events/events';
export {
  type DeliveryAttempt,
  type EventDelivery,
  OnEvent,
  type OnEventOptions,
} from './events/on-event.decorator';
export { Scheduled, type ScheduledOptions } from './jobs/scheduled.decorator';
export { Job, type JobOptions } from './jobs/job.decorator';
export type { JobProgress, JobRun } from './jobs/job-run';
export { Jobs } from './jobs/jobs';

// What runs beside requests: the record of changes, the log, metrics, health, settings.
export { type AuditedChange, AuditLog } from './audit/audit-log';
export { InjectLogger, type Logger } from './logging/logging.module';
export { Metrics } from './telemetry/metrics';
export type { Finding } from './health/check';
export { HealthCheck, type HealthDetails, type HealthResult } from './health/health-check';
export { settingKinds } from './config/module-setting-kinds';
export type { InferSettings, Kind, Setting, SettingsDeclaration } from './config/setting';
export { InjectSettings } from './config/settings.module';
export type { Settings } from './config/settings';

// Commands of a module.
export { type Cli, type CommandContext, type CommandGroup, JSON_OPTION } from './cli/cli';
export { petstore } from './config/called-as';
export { CommandError } from './cli/command-error';
export { interruptible } from './cli/interruption';
