/** Keywords of a schema that a reader has to keep to. */
const RULE = /^(exclusive|min|max|multiple|unique|pattern|default)/;

/** The same without patterns, which a parameter describes in words. */
const PARAMETER_RULE = /^(exclusive|min|max|multiple|unique|default)/;

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
    const rules = rulesIn(schema, RULE);
    return [allowed && ['One of', ...allowed], rules.length > 0 && ['', ...rules]]
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

/**
 * Adds the rules of a parameter to its description: Swagger UI leaves them out where a form is shown. It fills a parameter in
 * with the example or the default of its schema; one that may be left out is to stay out.
 */
export function parametersInView() {
  const parameterWithMetaByIdentity =
    (select) =>
    (_state, ...given) => {
      const parameter = select(...given);
      const rules = rulesIn(parameter?.get('schema'), PARAMETER_RULE);
      const whole = rules.length
        ? parameter.update(
            'description',
            '',
            (text) => `${text}\n\n${rules.map((rule) => `\`${rule}\``).join(' ')}`,
          )
        : parameter;
      return whole?.get('required') === false
        ? whole.deleteIn(['schema', 'example']).deleteIn(['schema', 'default'])
        : whole;
    };
  return { statePlugins: { spec: { wrapSelectors: { parameterWithMetaByIdentity } } } };
}

function rulesIn(schema, rule) {
  const rules = schema?.filter((_, name) => rule.test(name)).map((value, name) => `${name}: ${value}`);
  return [...(rules?.values() ?? [])];
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
