import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { forNoOwner } from '../security/owner';

/** A method of a provider or controller that a decorator has marked. */
export interface DecoratedMethod<Mark> {
  /** Class and method: `PetSuggestions.suggest`. */
  readonly name: string;
  /** Name of the method's class. */
  readonly owner: string;
  readonly mark: Mark;
  run(...values: unknown[]): unknown;
}

type Method = (...values: unknown[]) => unknown;

/** Finds the methods that run without a request: on an event or on a schedule. They work for no owner until they say for whom. */
@Injectable()
export class DecoratedMethods {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /**
   * Returns the marked methods of all modules, in the order of their providers; each once per mark.
   *
   * @param marksOf reads the marks of a method
   * @throws Error when one is in a provider of request scope
   */
  find<Mark>(marksOf: (method: object) => readonly Mark[]): DecoratedMethod<Mark>[] {
    const found: DecoratedMethod<Mark>[] = [];
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      const instance: unknown = wrapper.instance;
      if (wrapper.isAlias || typeof instance !== 'object' || instance === null) continue;
      const prototype = Object.getPrototypeOf(instance) as Record<string, Method> | null;
      const owner = instance.constructor.name;
      for (const member of this.scanner.getAllMethodNames(prototype)) {
        const method = prototype?.[member] as Method;
        const name = `${owner}.${member}`;
        for (const mark of marksOf(method)) {
          if (!wrapper.isDependencyTreeStatic()) {
            throw new Error(`${name} runs without a request, so ${owner} cannot be of request scope.`);
          }
          found.push({
            name,
            owner,
            mark,
            run: (...values) => forNoOwner(() => method.apply(instance, values)),
          });
        }
      }
    }
    return found;
  }
}
