/**
 * Writes the figures of `bench/figures.json`, which `npm run bench -- --write` has measured, into the pages. With `--check` it
 * writes nothing, and fails when a page has others.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { writePart } from './lib/report.mjs';

const DOCS = join(import.meta.dirname, '../docs');
const PAGES = ['performance.md', 'operations/more-than-one-process.md'].map((page) => join(DOCS, page));
const FIGURES = join(import.meta.dirname, 'figures.json');

/** What is written of one part, between two comments. */
const BLOCK = /(<!-- (\w+), written by npm run bench -- --write -->\n)[^]*?(<!-- end -->)/g;

const read = (path) => readFileSync(path, 'utf8');
const formatted = async (path, text) => format(text, { ...(await resolveConfig(path)), filepath: path });

/** The pages, by their paths, with the figures in their places. Throws for figures without a place. */
async function pagesWith(figures) {
  const text = (part) =>
    figures[part]
      ? writePart(part, figures[part])
      : `No run on a quiet machine has written this yet: \`npm run bench -- ${part} --write\`.`;
  const places = new Set();
  const pages = new Map();
  for (const path of PAGES) {
    const written = read(path).replaceAll(BLOCK, (_, begin, part, end) => {
      places.add(part);
      return `${begin}\n${text(part)}\n\n${end}`;
    });
    pages.set(path, await formatted(path, written));
  }
  const lost = Object.keys(figures).find((part) => !places.has(part));
  if (lost !== undefined) throw new Error(`No page has a place for the figures of "${lost}".`);
  return pages;
}

/** Keeps what a run has measured of its parts, beside the figures of others, and writes all into the pages. */
export async function keepFigures({ environment, plan, quiet, ...measured }) {
  const figures = JSON.parse(read(FIGURES));
  for (const part of plan.parts) figures[part] = { environment, plan, quiet, [part]: measured[part] };
  writeFileSync(FIGURES, await formatted(FIGURES, JSON.stringify(figures)));
  for (const [path, page] of await pagesWith(figures)) writeFileSync(path, page);
}

if (import.meta.main) {
  for (const [path, page] of await pagesWith(JSON.parse(read(FIGURES)))) {
    if (!process.argv.includes('--check')) writeFileSync(path, page);
    else if (page !== read(path)) {
      process.stderr.write(`${path} has other figures than bench/figures.json.\n`);
      process.exitCode = 1;
    }
  }
}
