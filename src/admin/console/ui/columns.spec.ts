import { columnClasses, Columns } from './columns';

const column = (label: string, width: number, isKept = false) => ({ label, width, isKept });

describe('The columns of a table', () => {
  it('give way where the room for those before them ends', () => {
    const columns = [column('Name', 200), column('Status', 350), column('Owner', 100), column('Made', 100)];
    expect(columnClasses(columns)).toEqual(['', '', 'room-7', 'room-8']);
  });

  it('stay when they are first or kept, and others give way sooner', () => {
    const columns = [column('Name', 900), column('Status', 100), column('Made', 200, true)];
    expect(columnClasses(columns)).toEqual(['', 'room-12', '']);
  });

  it('all have a class of the style sheet, however many there are', () => {
    const columns = Array.from({ length: 40 }, (_, i) => column(`${i}`, 100));
    expect(columnClasses(columns).at(-1)).toBe('room-13');
  });

  it.each([
    ['', 'room-7'],
    ['address=', 'room-7'],
    ['address=192.0.2.1', ''],
    ['sort=-address', ''],
    ['node=192.0.2.1', 'room-7'],
  ])('stay while their filter or order is in force: ?%s', (query, room) => {
    const columns = new Columns({ query: new URLSearchParams(query) }, [
      ['When', 500],
      ['Address', 150, 'address'],
    ]);
    expect(columns.room('Address')).toBe(room);
  });

  it('are named below the table while they are left out, the last first', () => {
    const columns = new Columns({ query: new URLSearchParams() }, [
      ['When', 500],
      ['Key', 150],
      ['<Address>', 100],
    ]);
    expect(columns.leftOut).toMatchObject({
      text: expect.stringContaining(
        '<span class="room-8">&lt;Address&gt;</span><span class="room-7">, Key</span>',
      ),
    });
    expect(new Columns({ query: new URLSearchParams() }, [['When', 500]]).leftOut).toBe('');
  });
});
