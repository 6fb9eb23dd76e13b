'use strict';

const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/**
 * Runs test files in the realm of Node itself, so that they can share packages with each other: see `jest-runtime.cjs`. What a
 * file leaves behind in `globalThis` and `process` is taken back at its end; where TypeORM and class-validator note the classes
 * of a file is among that.
 */
module.exports = class JestEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  /** The legacy ones. */
  fakeTimers = null;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    const { exitCode } = process;
    this.restore = [
      propertiesOf(globalThis),
      // The last two are replaced by Jest.
      propertiesOf(process, ['env', 'exit', 'getBuiltinModule']),
      propertiesOf(process.env),
      listenersOf(process),
      () => (process.exitCode = exitCode),
    ];
  }

  async setup() {}

  teardown() {
    this.fakeTimersModern.dispose();
    for (const restore of this.restore) restore();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Not used: no source is compiled for a context of its own. */
  getVmContext() {
    return null;
  }
};

/** @returns what gives an object its properties of now again, and takes those that came to it meanwhile */
function propertiesOf(object, names) {
  const before = new Map(
    (names ?? Reflect.ownKeys(object)).map((name) => [name, Object.getOwnPropertyDescriptor(object, name)]),
  );
  return () => {
    for (const name of names ?? Reflect.ownKeys(object)) {
      if (!before.get(name)) Reflect.deleteProperty(object, name);
    }
    for (const [name, descriptor] of before) if (descriptor) Reflect.defineProperty(object, name, descriptor);
  };
}

/** @returns what gives an emitter its listeners of now again, and no others */
function listenersOf(emitter) {
  const before = new Map(emitter.eventNames().map((name) => [name, emitter.rawListeners(name)]));
  return () => {
    for (const name of new Set([...before.keys(), ...emitter.eventNames()])) {
      const listeners = before.get(name) ?? [];
      const now = emitter.rawListeners(name);
      if (now.length === listeners.length && now.every((listener, i) => listener === listeners[i])) continue;
      emitter.removeAllListeners(name);
      for (const listener of listeners) emitter.on(name, listener);
    }
  };
}
