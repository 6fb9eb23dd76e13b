/** The ports of the service: the interface for its clients, and what its operators look at. */
export type Listener = 'public' | 'management';
