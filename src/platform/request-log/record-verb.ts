/** What a request does to a record, in the words of the audit log. */
export type RecordVerb = 'create' | 'update' | 'remove';
