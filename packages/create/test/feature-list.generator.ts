import { withFeatureLine } from '../src/feature/feature-list.ts';

const PETS = `// The features of the service.
export { PetsModule } from './pets/pets.module';
`;
const ORDERS = "export { OrdersModule } from './orders/orders.module';\n";

const withOrders = (text: string) => withFeatureLine(text, 'orders', 'OrdersModule');

describe('features.ts', () => {
  it('gets a line after the last one, and is otherwise unchanged', () => {
    expect(withOrders(PETS)).toBe(PETS + ORDERS);
    expect(withFeatureLine(PETS + ORDERS, 'status-changes', 'StatusChangesModule')).toBe(
      `${PETS}${ORDERS}export { StatusChangesModule } from './status-changes/status-changes.module';\n`,
    );
  });

  it('is not changed when it already has the feature, however its line is written', () => {
    expect(withOrders(ORDERS + PETS)).toBe(ORDERS + PETS);
    const other = 'export {\n  OrdersModule as Orders\n} from "./orders/orders.module"\n';
    expect(withOrders(other)).toBe(other);
  });

  it('does not count a line in a comment', () => {
    expect(withOrders(`${PETS}// ${ORDERS}`)).toBe(`${PETS}// ${ORDERS}${ORDERS}`);
  });

  it('keeps its line ends, and gets a missing one', () => {
    expect(withOrders(PETS.replaceAll('\n', '\r\n'))).toBe((PETS + ORDERS).replaceAll('\n', '\r\n'));
    expect(withOrders(PETS.trimEnd())).toBe(PETS + ORDERS);
  });

  it('may be empty', () => {
    expect(withOrders('')).toBe(ORDERS);
  });
});
