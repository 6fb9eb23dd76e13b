import { type Block, type Inline, inlineParts } from './blocks';
import { html, type Html } from './html';

/** Blocks as HTML elements. */
export function blocksToHtml(blocks: readonly Block[]): Html[] {
  return blocks.map(blockToHtml);
}

function blockToHtml(block: Block): Html {
  if (typeof block === 'string') return html`<p>${inline(block)}</p>`;
  // Wide code and tables scroll by themselves, and so have to be reachable by keyboard.
  if ('code' in block) return html`<pre tabindex="0"><code>${block.code}</code></pre>`;
  if ('heading' in block) return html`<h3 id="${block.id}">${inline(block.heading)}</h3>`;
  if ('items' in block)
    return html`<ul>
      ${block.items.map((item) => html`<li>${inline(item)}</li>`)}
    </ul>`;
  const rows = block.rows.map(
    (row) =>
      html`<tr>
        ${row.map((cell) => html`<td>${inline(cell)}</td>`)}
      </tr>`,
  );
  return html`<div class="table" tabindex="0">
    <table>
      <thead>
        <tr>
          ${block.head.map((cell) => html`<th scope="col">${cell}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function inline(text: string): Html[] {
  return inlineParts(text).map(part);
}

function part(piece: Inline): Html {
  if (piece.kind === 'code') return html`<code>${piece.text}</code>`;
  if (piece.kind === 'link') return html`<a href="${piece.target}">${piece.text}</a>`;
  return html`${piece.text}`;
}
