/** A created item, and its path under the base address (`/pets/7`). */
export interface Created<Item> {
  readonly item: Item;
  readonly path: string;
}
