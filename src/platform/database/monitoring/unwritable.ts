import { failed, type Finding } from '../../health/check';

/**
 * Says why a server carries out no writes, and what to do.
 *
 * @param refusal the sentence of a refused write; undefined if there is none
 */
export function unwritable(isStandby: boolean, refusal: string | undefined): Finding | undefined {
  if (isStandby) {
    return failed(
      'The server is a standby and does not accept writes.',
      'Point DATABASE_URL to the primary.',
    );
  }
  if (refusal === undefined) return undefined;
  return failed(
    refusal,
    'Give the disk room, or find out who has set default_transaction_read_only: the server, the database or the role.',
  );
}
