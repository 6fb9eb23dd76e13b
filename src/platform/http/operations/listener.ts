/** The ports of the service: one with the interface for its clients, one for its operators. */
export type Listener = 'public' | 'management';
