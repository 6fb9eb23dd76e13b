import { Controller, Param, ParseIntPipe, Post } from '@nestjs/common';
import { ApiOperation, ApiSchema, ApiTags } from '@nestjs/swagger';
import { Once } from '../../../src/platform/http/idempotency/once';
import { CreatedResponse } from '../../../src/platform/http/operations/response.decorators';
import type { Created } from '../../../src/platform/http/response/created';
import { RequireScopes } from '../../../src/platform/security/access.decorators';
import { StringField } from '../../../src/platform/validation/fields';
import { Carrier } from './carrier';
import { OrdersService } from './orders';

@ApiSchema({ name: 'PageParcel', description: 'A parcel.' })
class ParcelDto {
  @StringField({ description: 'The label.', example: 'L-1' })
  label!: string;
}

@ApiTags('page-parcels')
@Controller('page-orders/:orderId/parcels')
export class ParcelsController {
  constructor(
    private readonly carrier: Carrier,
    private readonly orders: OrdersService,
  ) {}

  @Post()
  @RequireScopes('orders:write')
  @ApiOperation({ summary: 'Send an order' })
  @CreatedResponse(ParcelDto, 'Sent.')
  async sendOrder(
    @Param('orderId', ParseIntPipe) id: number,
    @Once() once: Once,
  ): Promise<Created<ParcelDto>> {
    // Outside any transaction, and with the same key when the request is repeated.
    const label = await this.carrier.book(`order-${id}`);
    return once(() => this.orders.send(BigInt(id), label));
  }
}
