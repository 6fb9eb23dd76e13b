// Not in the order of the alphabet.
export { ZebrasModule } from './zebras.module';
export { HamstersModule } from './hamsters.module';
export { ants } from './ants.module';
