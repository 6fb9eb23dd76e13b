import { Injectable } from '@nestjs/common';
import { Metrics } from './metrics';

/** What a scrape of this node is told. */
export abstract class NodeMetrics {
  /** The media type of {@link text}. */
  abstract readonly contentType: string;

  /** Everything counted, in Prometheus' text format. */
  abstract text(): Promise<string>;
}

/** A node of one process tells what that process counts. */
@Injectable()
export class ProcessMetrics extends NodeMetrics {
  constructor(private readonly metrics: Metrics) {
    super();
  }

  get contentType(): string {
    return this.metrics.registry.contentType;
  }

  text(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
