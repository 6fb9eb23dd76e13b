import { faultyFiles, PLANTED_FAULTS } from './support/planted-faults';

describe('The faults that are planted to see whether histories are judged well', () => {
  it.each(PLANTED_FAULTS.map((fault) => [fault.name, fault] as const))(
    'have a place in what is built: %s',
    (_, fault) => {
      expect(faultyFiles(fault).size).toBe(1);
    },
  );
});
