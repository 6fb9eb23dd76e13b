import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import * as fc from 'fast-check';
import { parseTraceparent, parentSpanOf } from './traceparent';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((digits) => digits.join(''));
const ids = (length: number) => hex(length).filter((id) => /[^0]/.test(id));

describe('A traceparent', () => {
  it('yields its ids and the sampling flag for version 00', () => {
    fc.assert(
      fc.property(ids(32), ids(16), hex(2), (traceId, spanId, flags) => {
        const isSampled = '13579bdf'.includes(flags.charAt(1));
        expect(parseTraceparent(`00-${traceId}-${spanId}-${flags}`)).toEqual({ traceId, spanId, isSampled });
      }),
    );
  });

  it('yields the same for a later version, whatever follows after a dash', () => {
    const versions = hex(2).filter((version) => version !== '00' && version !== 'ff');
    fc.assert(
      fc.property(
        versions,
        ids(32),
        ids(16),
        fc.constantFrom('', '-', '-what-the-future-will-be'),
        (...parts) => {
          const [version, traceId, spanId, more] = parts;
          expect(parseTraceparent(`${version}-${traceId}-${spanId}-01${more}`)).toEqual({
            traceId,
            spanId,
            isSampled: true,
          });
        },
      ),
    );
  });

  it.each([
    '',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-011`,
    `00-${TRACE}-${SPAN}-01-`,
    `00-${TRACE}-${SPAN}-01-more`,
    `01-${TRACE}-${SPAN}-01.more`,
    `01-${TRACE}-${SPAN}-01more`,
    `ff-${TRACE}-${SPAN}-01`,
    `0-${TRACE}-${SPAN}-01`,
    `000-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN.toUpperCase()}-01`,
    `00-${TRACE}-${SPAN}-0A`,
    `0A-${TRACE}-${SPAN}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}0-${SPAN}-01`,
    `00-${TRACE.slice(1)}g-${SPAN}-01`,
    `00_${TRACE}_${SPAN}_01`,
    ` 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01 `,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01\n`,
  ])('is ignored when it is %j', (value) => {
    expect(parseTraceparent(value)).toBeUndefined();
  });

  it('yields well-formed ids or none when one character is changed', () => {
    const valid = `00-${TRACE}-${SPAN}-01`;
    fc.assert(
      fc.property(
        fc.nat(valid.length - 1),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        (at, character) => {
          const parent = parseTraceparent(valid.slice(0, at) + character + valid.slice(at + 1));
          if (parent === undefined) return;
          expect(parent.traceId).toMatch(/^[\da-f]{32}$/);
          expect(parent.spanId).toMatch(/^[\da-f]{16}$/);
        },
      ),
    );
  });

  it('yields well-formed ids or none for arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseTraceparent(text)).toBeUndefined();
      }),
    );
  });

  it('is read from the header field of a request', () => {
    const request = new IncomingMessage(new Socket());
    expect(parentSpanOf(request)).toBeUndefined();
    request.headers.traceparent = `00-${TRACE}-${SPAN}-00`;
    expect(parentSpanOf(request)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: false });
  });
});
