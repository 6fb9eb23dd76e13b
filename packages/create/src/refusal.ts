/** The reason why nothing is generated: one sentence for the person who ran the generator. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
