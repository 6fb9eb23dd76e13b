import { Feature, importedFeatures } from './feature.decorator';

describe('the imported features', () => {
  it('are the classes marked as features, in the order of their marking', () => {
    expect(importedFeatures()).toEqual([]);

    @Feature()
    class Balls {}
    class Cubes {}
    @Feature()
    class Dolls {}

    expect(importedFeatures()).toEqual([Balls, Dolls]);
    expect(importedFeatures()).not.toContain(Cubes);
  });
});
