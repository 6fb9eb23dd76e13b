/** Keywords of a schema that a reader has to keep to. */
const RULE = /^(exclusive|min|max|multiple|unique|pattern|default)/;

/** Shows the members of a body above its form or example, where Swagger UI has a tab for each. */
export function membersInView({ React, getComponent }) {
  const element = React.createElement;

  function ModelExample({ schema, example, includeReadOnly, includeWriteOnly }) {
    const isShown = (member) =>
      (includeReadOnly || !member.get('readOnly')) && (includeWriteOnly || !member.get('writeOnly'));
    return element(
      'div',
      { className: 'model-example' },
      schema && schema.get('type') !== 'object' && element('p', { className: 'type' }, typeOf(schema)),
      schema && element(Members, { schema, isShown }),
      example,
    );
  }

  function Members({ schema, isShown }) {
    if (schema.has('items')) return element(Members, { schema: schema.get('items'), isShown });
    const members = schema.get('properties')?.filter(isShown);
    if (!members?.size) return null;
    const row = ([name, member]) =>
      element(
        'div',
        { key: name },
        element(
          'dt',
          null,
          element('code', { className: member.get('deprecated') && 'deprecated' }, name),
          element('span', { className: 'type' }, typeOf(member)),
          schema.get('required')?.includes(name) && element('span', { className: 'required' }, 'required'),
        ),
        element(
          'dd',
          null,
          element(getComponent('Markdown', true), { source: member.get('description') ?? '' }),
          ...rulesOf(member),
          element(Members, { schema: member, isShown }),
        ),
      );
    return element('dl', { className: 'members' }, members.entrySeq().map(row));
  }

  function rulesOf(schema) {
    const allowed = schema.get('enum') ?? schema.getIn(['items', 'enum']);
    const rules = schema.filter((_, name) => RULE.test(name)).map((value, name) => `${name}: ${value}`);
    return [allowed && ['One of', ...allowed], rules.size > 0 && ['', ...rules.values()]]
      .filter(Boolean)
      .map(([title, ...values]) =>
        element(
          'p',
          { className: 'rules' },
          title,
          values.flatMap((value) => [' ', element('code', null, value)]),
        ),
      );
  }

  return { components: { modelExample: ModelExample } };
}

/** The type of a schema in words; that of an object by the name that the document has for it. */
function typeOf(schema) {
  const name = (schema.get('$$ref') ?? schema.get('$ref'))?.split('/').at(-1);
  const { type = 'object', format, items, oneOf, anyOf = oneOf, nullable } = schema.toObject();
  const words = [
    items
      ? `array of ${typeOf(items)}`
      : anyOf?.map(typeOf).join(' or ') || (type === 'object' && name) || type,
    format && `(${format})`,
    nullable && 'or null',
  ];
  return words.filter(Boolean).join(' ');
}
