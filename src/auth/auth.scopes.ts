/** Scopes of the admin tooling; those of features come from their routes and from their records (`changeScope`). */
export const ADMIN_SCOPES = ['admin:keys', 'admin:read'] as const;
