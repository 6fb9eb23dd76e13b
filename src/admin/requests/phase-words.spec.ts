import { phaseOf } from '../../platform/http/lifecycle/request-lifecycle';
import { ARRIVAL_STEPS, OPERATION_STEPS } from '../../platform/http/lifecycle/steps';
import { PHASE_WORDS, phaseInWords } from './phase-words';

describe('A phase of a request', () => {
  it.each([...ARRIVAL_STEPS, ...OPERATION_STEPS].map(phaseOf))('has words for readers: %s', (phase) => {
    expect(PHASE_WORDS).toHaveProperty([phase]);
  });

  it('of a guard or an interceptor of a module is named by its class', () => {
    expect(phaseInWords('guard OwnGuard')).toBe('Guard OwnGuard');
  });
});
