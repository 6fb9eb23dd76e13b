export const STATUSES = ['available', 'pending', 'sold'];
export const CATEGORIES = 50;
export const NAMES = ['Rex', 'Luna', 'Bella', 'Milo', 'Coco', 'Nala', 'Simba', 'Kiwi', 'Pepper', 'Ginger'];

/** The pet of one id. Every server is given exactly these rows. */
export function petOf(id) {
  return {
    id,
    name: `${NAMES[id % NAMES.length]} ${id}`,
    categoryId: (id % CATEGORIES) + 1,
    status: STATUSES[id % STATUSES.length],
  };
}
