/** Why nothing is generated: one sentence for whoever asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
