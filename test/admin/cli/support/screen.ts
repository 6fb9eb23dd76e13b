import { Terminal } from '@xterm/headless';

/** The lines that a terminal shows, and those that went off its upper edge, after a program has written to it. */
export async function screenOf(written: string, columns: number): Promise<string[]> {
  const terminal = new Terminal({ cols: columns, rows: 24, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(written, resolve));
  const { active } = terminal.buffer;
  const lines: string[] = [];
  for (let i = 0; i < active.length; i++) {
    const line = active.getLine(i);
    const text = line?.translateToString(true) ?? '';
    // What went on in the next line for lack of room.
    if (line?.isWrapped) lines.push((lines.pop() ?? '') + text);
    else lines.push(text);
  }
  terminal.dispose();
  return lines.join('\n').trimEnd().split('\n');
}
