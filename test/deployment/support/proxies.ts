import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocksOf } from '../../modules/support/guide-blocks';
import { freePort } from '../../support/processes/free-port';
import { ListeningProgram } from '../../support/processes/listening-program';
import { makeCertificate } from './certificate';
import { PROJECT } from './dockerfile';

const HOST = '127.0.0.1';
const blocks = codeBlocksOf(readFileSync(join(PROJECT, 'docs/operations/behind-a-proxy.md'), 'utf8'));

/** The block of the page about proxies in a language. */
export function block(language: string, note = ''): string {
  return blocks.find((each) => each.language === language && each.note === note)?.text ?? '';
}

/** Where a proxy listens, and what is behind it. */
export interface Place {
  readonly folder: string;
  readonly port: number;
  readonly scheme: 'http' | 'https';
  /** Ports of two processes of the service, or of what leads there. */
  readonly targets: readonly [number, number];
  /** Changes the configuration, as people do. */
  readonly change?: (configuration: string) => string;
}

/** The change that lets HAProxy repeat every creation: as the project has it, it repeats those with a key. */
export const HAPROXY_REPEATS_CREATIONS = [
  ' unless is-safe or { method POST } is-once { req.hdr(idempotency-key) -m found }',
  ' if is-safe',
] as const;

async function start(port: number, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const program = new ListeningProgram(port);
  const [name = '', ...rest] = words;
  await program.start(name, rest, { env: { ...process.env, ...env } });
  return program;
}

/** Gives a text of the page the ports of a test. */
function withTargets(text: string, { targets, change = (same) => same }: Place): string {
  return change(text)
    .replaceAll('127.0.0.1:3000', `${HOST}:${targets[0]}`)
    .replaceAll('127.0.0.1:3002', `${HOST}:${targets[1]}`);
}

/** Starts HAProxy with the configuration of this project. */
export async function launchHaproxy(place: Place): Promise<ListeningProgram> {
  const { folder, port, scheme, targets } = place;
  const [file, original] = [join(folder, 'haproxy.cfg'), join(PROJECT, 'deploy', 'balancer')];
  cpSync(join(original, 'errors'), join(folder, 'errors'), { recursive: true });
  writeFileSync(file, withTargets(readFileSync(join(original, 'haproxy.cfg'), 'utf8'), place));
  return start(port, ['haproxy', '-db', '-f', file], {
    BALANCER_METRICS: `${HOST}:${await freePort(HOST)}`,
    BALANCER_PREFIX: '/petstore',
    PETSTORE_1: `${HOST}:${targets[0]}`,
    PETSTORE_2: `${HOST}:${targets[1]}`,
    ...(scheme === 'http'
      ? { BALANCER_PORT: String(port) }
      : {
          BALANCER_PORT: String(await freePort(HOST)),
          BALANCER_TLS_PORT: String(port),
          BALANCER_CERTIFICATE: makeCertificate(folder).both,
        }),
  });
}

/** Starts nginx as the page configures it. */
export async function launchNginx(place: Place): Promise<ListeningProgram> {
  const { folder, port, scheme } = place;
  const { key, certificate } = makeCertificate(folder);
  const site = withTargets(block('nginx'), place)
    .replace('/etc/nginx/shop.example.crt', certificate)
    .replace('/etc/nginx/shop.example.key', key)
    // Debian's version is older than the line.
    .replace('  http2 on;\n', '')
    .replace('listen 443 ssl', `listen ${HOST}:${port}${scheme === 'https' ? ' ssl http2' : ''}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {} http { access_log off;
${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
${site}}`,
  );
  return start(port, ['nginx', '-c', file, '-p', folder, '-e', 'stderr']);
}

/** Starts Caddy as the page configures it, without TLS. */
export async function launchCaddy(place: Place): Promise<ListeningProgram> {
  const file = join(place.folder, 'Caddyfile');
  const site = withTargets(block('caddyfile'), place).replace('shop.example', `http://${HOST}:${place.port}`);
  writeFileSync(file, `{\n\tadmin off\n}\n${site}`);
  return start(place.port, ['caddy', 'run', '--config', file], { HOME: place.folder });
}
