import { setFlagsFromString } from 'node:v8';

/**
 * Imported before the packages: a command shares its machine with the service, and most of the memory V8 takes by default is
 * room for garbage. The space for new objects keeps its initial 1 MiB, where loading the packages would grow it to 64; that
 * makes a command a twentieth to a tenth slower.
 */
setFlagsFromString('--semi-space-growth-factor=1');

/**
 * Lets the heap grow by at most a half before garbage is collected; by default V8 lets it become four times as large. For long
 * commands, once the packages are loaded: collecting during the load costs a short command a fifth of its time.
 */
export function collectEarly(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
