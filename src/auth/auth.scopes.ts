/** Scopes of the admin tooling; those of features come from their routes. */
export const ADMIN_SCOPES = ['admin:keys', 'admin:pets', 'admin:read'] as const;
