import { makeFolder } from '../support/folders';
import { readDockerfile } from './support/dockerfile';
import { buildImage } from './support/image-build';
import { buildSurroundings } from './support/surroundings';

const surroundings = buildSurroundings(makeFolder());

describe('The interpreter of the Dockerfile', () => {
  const from = `FROM node:26-bookworm-slim\n`;

  it.each([
    ['an unknown instruction', `${from}ADD package.json /\n`, 'ADD'],
    ['an unknown flag', `${from}COPY --chmod=755 package.json /\n`, 'COPY --chmod'],
    ['another mount', `${from}RUN --mount=type=secret,id=npm true\n`, 'RUN --mount'],
    ['a file that .dockerignore keeps out', `${from}COPY .env.example /\n`, 'COPY .env.example'],
    ['a user by name', `${from}USER node\n`, 'USER node'],
    ['an entry through a shell', `${from}ENTRYPOINT node dist/src/main.js\n`, 'ENTRYPOINT in shell form'],
    ['another base', 'FROM node:20\n', 'FROM node:20'],
  ])('stops at %s', (_what, text, named) => {
    const other = { ...surroundings, folder: makeFolder() };
    expect(() => buildImage(readDockerfile(text), other)).toThrow(named);
  });

  it('does not let a step use what the base image lacks', () => {
    const other = { ...surroundings, folder: makeFolder() };
    expect(() => buildImage(readDockerfile(`${from}RUN curl --version\n`), other)).toThrow('curl');
  });
});
