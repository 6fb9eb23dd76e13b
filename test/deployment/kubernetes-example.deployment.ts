import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '../../src/platform/config/load-settings';
import { makeFolder } from '../support/folders';
import { IMAGE_ENVIRONMENT } from './support/dockerfile';
import { findOne, kustomize } from './support/kustomize';
import type { Resource } from './support/schemas';

interface Ingress {
  readonly rules: [{ host: string; http: { paths: object[] } }];
  readonly tls: [{ hosts: string[] }];
}

interface Pods extends Resource {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: [{ readonly image: string }] } };
  };
}

type ConfigMap = Resource & { data: Record<string, string> };

const example = kustomize('example/service');
const { spec: ingress } = findOne<Resource & { spec: Ingress }>(example, 'Ingress');

describe('The example of an installation on Kubernetes', () => {
  it('rolls out the same build that it migrates with, named by its digest', () => {
    const images = [
      findOne<Pods>(example, 'Deployment'),
      findOne<Pods>(kustomize('example/migration'), 'Job'),
    ].map((resource) => resource.spec.template.spec.containers[0].image);
    expect(images).toEqual(
      Array(2).fill(expect.stringMatching(/^registry\.example\.com\/petstore@sha256:[0-9a-f]{64}$/)),
    );
    expect(new Set(images).size).toBe(1);
  });

  it('has valid settings, which trust one proxy', () => {
    const { data } = findOne<ConfigMap>(example, 'ConfigMap');
    const secret = join(makeFolder(), 'oidc-client-secret');
    writeFileSync(secret, 'a client secret');
    expect(data.OIDC_CLIENT_SECRET_FILE).toBe('/run/secrets/petstore/oidc-client-secret');
    const { trustProxy, consoleOrigin } = loadSettings({
      ...IMAGE_ENVIRONMENT,
      ...data,
      DATABASE_URL: 'postgres://petstore:x@postgres:5432/petstore',
      OIDC_CLIENT_SECRET_FILE: secret,
    });
    // An address range would have every pod in it say who it is.
    expect(trustProxy).toBe(1);
    expect(consoleOrigin).toBe(`https://${ingress.rules[0].host}`);
    expect(ingress.tls[0].hosts).toEqual([ingress.rules[0].host]);
  });

  it('exposes only the console of the management port', () => {
    const paths = ingress.rules.flatMap(({ http }) => http.paths);
    expect(paths).toEqual([
      {
        path: '/admin',
        pathType: 'Prefix',
        backend: { service: { name: 'petstore-console', port: { name: 'management' } } },
      },
    ]);
    const [access] = kustomize('console').filter(({ kind }) => kind === 'Service');
    expect(access).toMatchObject({
      metadata: { name: 'petstore-console' },
      spec: {
        selector: example.find(({ kind }) => kind === 'Deployment')?.metadata.labels,
        ports: [{ name: 'management', targetPort: 'management' }],
      },
    });
  });

  it('has a namespace that refuses pods with more rights', () => {
    const { metadata } = findOne<Resource>(kustomize('example/namespace'), 'Namespace');
    expect(metadata).toMatchObject({
      name: 'petstore',
      labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
    });
    expect(findOne<Pods>(example, 'Deployment').metadata.namespace).toBe(metadata.name);
  });
});
