/** The ports of the service: the interface for its clients, and what its operators look at. */
export type Listener = 'public' | 'management';

declare global {
  namespace Express {
    interface Request {
      /** The port whose server took the connection: nothing a client sends can change it. */
      listener: Listener;
    }
  }
}
