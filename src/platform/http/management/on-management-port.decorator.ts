import { VERSION_NEUTRAL } from '@nestjs/common';
import { PATH_METADATA, VERSION_METADATA } from '@nestjs/common/internal';
import { ApiExcludeController } from '@nestjs/swagger';
import { MANAGEMENT_PREFIX } from '../operations/listener';
import { LISTENER_METADATA } from '../operations/metadata';

/**
 * Serves the routes of the controller on the management port only, without a version and outside the documented interface.
 * Guards and decorators work as they do elsewhere. Must stand above `@Controller`.
 *
 * @throws Error when it stands below: its metadata would be overwritten
 */
export function OnManagementPort(): ClassDecorator {
  return (controller) => {
    const path: unknown = Reflect.getMetadata(PATH_METADATA, controller);
    if (typeof path !== 'string') {
      throw new Error(`@OnManagementPort() must stand above the @Controller of ${controller.name}.`);
    }
    Reflect.defineMetadata(PATH_METADATA, `${MANAGEMENT_PREFIX}/${path.replace(/^\//, '')}`, controller);
    Reflect.defineMetadata(VERSION_METADATA, VERSION_NEUTRAL, controller);
    Reflect.defineMetadata(LISTENER_METADATA, 'management', controller);
    ApiExcludeController()(controller);
  };
}
