import { Injectable } from '@nestjs/common';
import { Metrics } from './metrics';

/** Metrics that a scrape of this node returns. */
export abstract class NodeMetrics {
  /** The media type of {@link text}. */
  abstract readonly contentType: string;

  /** Returns all counts, in Prometheus' text format. */
  abstract text(): Promise<string>;
}

/** The metrics of a node of one process: the counts of that process. */
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
